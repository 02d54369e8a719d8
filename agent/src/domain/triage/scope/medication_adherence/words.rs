//! Word classes of the profile, folded, in three languages.

/// Long words in which one wrong letter is forgiven.
pub const MISSPELT: &[&str] = &[
    "remedio",
    "remedios",
    "comprimido",
    "comprimidos",
    "medicamento",
    "medicamentos",
    "medicina",
    "pastilla",
    "pastillas",
    "bombinha",
    "inhalador",
    "inhaler",
    "antidepressivo",
    "antidepresivo",
    "antidepressant",
    "colesterol",
    "cholesterol",
    "sinvastatina",
    "cuidadora",
    "caregiver",
    "dosagem",
    "dosage",
    "sintomas",
    "symptoms",
    "medication",
    "medicine",
    "tratamento",
    "tratamiento",
    "depressao",
    "diabetes",
];

/// Every class under the name by which phrases call it. Drugs are in [`super::drugs`].
pub const CLASSES: &[(&str, &str)] = &[
    (
        "med",
        "remedi* medicament* medicac* medicin* pastilla* pastilit* comprimid* pilula* capsula* \
         pill pills tableta tabletas tablet tablets capsule capsules medication* medicine* med meds drug drugs \
         tratamento tratamentos tratamiento tratamientos treatment xarope jarabe insulina insulin \
         antibiotic* prescription* prescripc* anticoncepciona* colirio vitamina vitaminas vitamin \
         vitamins supplement* suplement* injecao injecoes inyeccion* vacina vacuna vaccine therapy painkiller* analges* antialergic* antiinflamat* anti pomada pomadas laxante* \
         antidoto sedative* calmante* tranquilizante* \
         anticoagulant* blister cartela cartelas",
    ),
    (
        "unit",
        "mg mgs mcg ml miligrama* miligramo* milligram* gota gotas drops drop unidades units \
         comprimid* pastilla* pilula* pill pills tableta tabletas tablet tablets capsul* colher colheres cucharada* \
         spoon* teaspoon* puff puffs jato jatos jatada* inhalaciones inhalacion inalacoes \
         bombadas borrifada* gramas gramos grams cc ui",
    ),
    (
        "take",
        "tomar tomo tome tomei tomando toma tomamos tomarlo tomarla tomarme tomava tomou dar dou \
         dei doy darle dei usar uso use usando usei usaba utilizar ingerir aplicar take takes \
         taking took taken use used using give giving administer inject eat drink tomarmos \
         passar beber engolir tragar",
    ),
    ("dose", "dose doses dosis dosagem dosagens dosage dosages dosing posologia dosificacion"),
    (
        "change",
        "aumentar aumento aumente aumentei diminuir diminuo dobrar dobro dobre duplicar duplico \
         reduzir reduzo baixar baixo abaixar subir subo bajar bajo bajarle subirle ajustar ajusto \
         mudar alterar cambiar cambio modificar increase increasing lower decrease reduce double \
         doubling triple adjust change raise up cortar regular reducir disminuir aumentarle \
         diminua reduza dobrada doble",
    ),
    (
        "split",
        "cortar corto corte cortarla cortarlo partir parto parte partirla partirlo dividir divido \
         divida quebrar quebro triturar esmagar amassar macerar moler cut split crush halve break \
         cutting splitting crushing abrir open partida cortado partido",
    ),
    ("half", "meio metade meia mitad medio media half halves"),
    ("how_much", "quanto quanta quantos quantas qtos qtas cuanto cuanta cuantos cuantas qto"),
    (
        "want",
        "quero qro queria gostaria preciso posso devo deveria poderia pode podem poder posso \
         tenho quiero quisiera necesito puedo debo deberia puede podria tengo want need can could \
         should may must would i do is",
    ),
    (
        "small",
        "a o as os um uma uns umas de do da dos das d em no na nos nas e eu se que q me meu minha \
         meus minhas por pra para com ao aos so ja mais muito isso esse essa este esta ai la el \
         los las un una unos unas del al y yo mi mis su sus en con por lo le ya mas muy the an my \
         your of to in on for at it is this that and i with so por favor seu sua seus suas te \
         nao no not algum alguma alguns algun alguna some any outro outra otro otra other novo \
         dele dela her his their",
    ),
    (
        "not",
        "nao n naum no nunca not dont doesnt never cant wont nem ni nadie didnt refuses refuse \
         recusa",
    ),
    (
        "kin",
        "mae mamae pai papai filho filha filhos filhas avo avos avozinha avozinho vovo vo marido \
         esposa esposo mulher irmao irma sogra sogro tia tio neto neta bebe idoso idosa idosos \
         familiar parente crianca namorado namorada companheiro companheira mama madre \
         padre papa hijo hija hijos abuelo abuela abuelita abuelito abuelos hermano hermana suegra \
         suegro nieto nieta tia tio familiares nino nina anciano anciana mother father mom mum \
         dad son daughter grandmother grandfather grandma grandpa grandparent husband wife brother \
         sister kid kids child parent parents toddler mothers fathers moms dads partner elderly \
         granny nana aunt uncle",
    ),
    (
        "disease",
        "diabetes diabetic* asma asthma hipertens* hypertension pressao presion pneumonia neumonia \
         depressao depresion depression ansiedade ansiedad anxiety cancer tumor covid coronavirus \
         gripe flu dengue zika chikungunya infarto attack avc derrame stroke anemia anemica tireoide \
         hipotireoid* tiroides thyroid lupus fibromialgia artrite artritis arthritis artrose \
         bronquite bronquitis bronchitis gastrite gastritis sinusite sinusitis hepatite hepatitis \
         meningite apendicite apendicitis appendicitis infeccao infeccion infection alergia \
         alergico allergic allergy enxaqueca migrana migraine labirintite tdah adhd autismo autism \
         bipolar esquizofrenia toc gota gout colesterol alzheimer demencia dementia parkinson \
         epilepsia epilepsy eclampsia preeclampsia pre gravida gravidez embarazada embarazo \
         pregnant parto aids hiv hpv sifilis herpes endometriose endometriosis celiac* celiaco \
         refluxo reflujo reflux ulcera ulcer insonia insomnio insomnia menopausa menopausia virus \
         doenca doencas enfermedad disease illness condition sindrome syndrome trombose trombosis \
         sarampo varicela catapora tuberculose tuberculosis pedra piedra rins renal kidney arritmia \
         arrhythmia osteoporose osteoporosis transtorno trastorno disorder burnout doente enferm* \
         sick resfriado resfriada resfrio cold",
    ),
    (
        "symptom",
        "dor dores dolor dolores pain ache headache febre fiebre fever tosse tos cough enjoo \
         nausea nauseas tontura mareo mareos mareado dizzy dizziness coceira picazon itch manchas \
         manchinhas rash inchaco hinchazon swelling cansaco cansancio fatigue falta formigamento \
         hormigueo vomito vomitos vomiting diarreia diarrea diarrhea sangue sangre bleeding \
         palpitacao palpitaciones azia acidez gases colica colicos cabeca garganta estomago barriga \
         throat stomach heart tooth dente muela espinha acne back costas espalda infeccao infeccion alergia gripe resfriado pressao \
         presion insonia insomnio sleep dormir ansiedade ansiedad anxiety tosir caibra calambre \
         cramps verme piolho gastrite enxaqueca",
    ),
    (
        "exam",
        "exame exames examen examenes resultado resultados hemograma laboratorio laudo laudos \
         glicemia glicose glucosa glucose glicada glicosilada hemoglobina hemoglobin hba1c a1c tsh \
         t4 t3 ldl hdl vldl colesterol cholesterol triglicer* triglycer* creatinina creatinine report reports relatorio informe \
         ureia urea plaquetas platelets leucocitos leukocytes ferritina ferritin psa ureia \
         ressonancia resonancia tomografia ultrassom ecografia eletrocardiograma \
         electrocardiograma ecg ekg biopsia biopsy mri ct ast alt tgo tgp gama pcr crp inr egfr \
         bilirrubina bilirubin acido urico potassio potasio potassium sodio sodium lab labs \
         analisis urina orina urinalysis radiografia xray mamografia bloodwork vhs eosinofilos \
         glucosa azucar triglicerido",
    ),
    (
        "judge",
        "normal alto alta altos altas baixo baixa baixos baixas bajo baja bajos bajas malo mala \
         ruim ruins mal grave preocupante bom boa bueno buena bien bem ok high low bad good \
         elevated elevado elevada worried worry dangerous perigoso peligroso serious worrying fine \
         alterado alterada alterados ideal limite",
    ),
    (
        "explain",
        "significa significam significan quer quiere mean means meaning interpretar interpreta \
         interprete interpret ler leer lee lea read olhar olha ver veja avaliar analisar analise \
         analiza analizar entender entendo entiendo understand explica explicar explique expliques \
         explain traduzir revisar checar check review evaluar evalua diz dice say says tell help \
         ajuda ayuda",
    ),
    (
        "person",
        "paciente pacientes cliente clientes usuario usuarios usuaria usuarias pessoa pessoas \
         pessoal vizinho vizinha vizinhos gente alguem alguien senora senor senhora senhor \
         persona personas patient patients customer customers user users people someone person \
         neighbor neighbour members funcionario funcionarios empleado empleados employee employees \
         colega colegas moca moco contatos contactos outro outra outros outras otro otra otros otras \
         another others else ex namorada namorado chefe jefe boss doctor medico medica doutor \
         doutora dra dr vecino vecina conocido dona don mrs mr",
    ),
    (
        "private",
        "cpf cpfs rg cnh telefone telefones celular zap whatsapp endereco enderecos email emails \
         correo correos mail direccion direcciones telefono telefonos address addresses phone \
         phones number numbers numero numeros dado dados datos data prontuario prontuarios \
         expediente historial historico records record ssn curp dni cedula cartao cartoes \
         tarjeta tarjetas card cards conta contas cuenta senha senhas contrasena contrasenas \
         password passwords conversas conversaciones conversations conversation mensagens \
         mensajes messages chats cadastro cadastros receitas recetas historia name names nome \
         nomes nombre nombres exames diagnostico remedio remedios medicamentos medication \
         medications prompts diagnosis diagnoses info contato contacto contact",
    ),
    ("be", "eres es sos e eh are youre be seja sea sou am is voce vc you seras sera ser"),
];
