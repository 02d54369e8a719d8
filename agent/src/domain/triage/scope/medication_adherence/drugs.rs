//! Names of drugs, by the domain that they belong to. Most generic names are known by their ends.

/// Classes of drugs.
pub const CLASSES: &[(&str, &str)] = &[
    (
        "statin_drug",
        "estatina* statin statins *vastatin *vastatina *vastatinas lipitor crestor zocor citalor \
         pravachol livalo lescol mevacor vytorin zetia ezetimib* vivacor lipless",
    ),
    ("cholesterol", "colesterol cholesterol lipidos"),
    (
        "inhaler_drug",
        "inhaler* inhalador* inalador* inhalation inhalations bombinha bombinhas nebuliz* \
         aerocamara aerocamaras aerochamber espacador espaciador spacer spacers salbutamol \
         albuterol ventolin aerolin symbicort seretide advair breo spiriva flovent proair proventil \
         pulmicort budesonid* formoterol salmeterol tiotropi* trelegy dulera qvar atrovent \
         ipratropi* combivent anoro alenia foraseq clenil beclometason* fluticason* xopenex stiolto \
         respimat turbuhaler diskus asmanex arnuity inhaladores asma asthma asmatic* asthmatic \
         dpoc copd epoc puff puffs",
    ),
    (
        "antidep_drug",
        "antidepress* antidepresiv* *oxetina *oxetine prozac daforin sertralin* zoloft citalopram \
         escitalopram lexapro celexa paxil venlafaxin* desvenlafaxin* effexor pristiq cymbalta \
         bupropion* bupropiona wellbutrin trazodon* amitriptilin* amitriptylin* nortriptilin* \
         nortriptylin* imipramin* clomipramin* mirtazapin* vortioxetin* brintellix trintellix \
         remeron viibryd ssri ssris isrs snri tricyclic* triciclico*",
    ),
    ("mood", "depressao depresion depression depressed deprimid* ansiedade ansiedad anxiety"),
    (
        "drug",
        "*vastatin *vastatina *opril *lapril *mipril *zepril *napril *sartan *sartana *olol *cillin *cilina *mycin *micina *micin \
         *oxacin *oxacino *conazol *conazole *prazol *prazole *dipine *dipino *dipina *profen \
         *profeno *triptan *gliptin *gliptina *gliflozin *gliflozina *formin *formina *clovir \
         *navir *buvir *nisone *nisona *nisolone *nisolona *metasone *metasona *methasone *zepam \
         *zolam *umab *zumab *xaban *parin *parina *tiazida *thiazide *semida *semide *lactone \
         *lactona *dronate *dronato *cycline *ciclina *codone *codona *morphone *tidine *tidina \
         *butynin *asteride *caine *caina *phylline *setron *lukast *gabalin *gabalina \
         *glitazone *zosin *thyroxine *tiroxina *colchicin* paracetamol acetaminophen tylenol \
         dipirona metamizol novalgina dorflex aspirina aspirin ibuprofeno ibuprofen advil \
         alivium buscopan naproxen naproxeno diclofenac* voltaren losartana captopril puran \
         synthroid levoid warfarin varfarina warfarina coumadin marevan xarelto eliquis plavix \
         clopidogrel gabapentin gabapentina lyrica tramadol tramal morphine morfina codeine \
         codeina rivotril clonazepam xanax valium ritalina ritalin concerta venvanse adderall \
         vyvanse lithium litio hidroclorotiazid* lasix ozempic wegovy semaglutida semaglutide \
         mounjaro victoza glifage metformina lotensin norvasc diovan lisinopril zestril cozaar \
         viagra sildenafil* cialis tadalafil* loratadina loratadine allegra zyrtec cetirizin* \
         benadryl melatonin melatonina methotrexate metotrexato humira tamoxifen* lantus humalog \
         januvia jardiance forxiga farxiga omeprazol nexium quetiapin* seroquel risperidon* \
         olanzapin* lamotrigin* topiramat* carbamazepin* depakote valproat* digoxin digoxina \
         amiodaron* diltiazem verapamil nitroglycerin* propranolol anticoncepcional amoxicillin \
         penicillin penicilina benzetacil hydrochlorothiazide spironolactone allopurinol \
         alopurinol zolpidem ambien montelukast singulair mucinex bisacodyl magnesium magnesio \
         potassium ferro hierro enoxaparin heparin insulin insulina prednisone",
    ),
];
