//! How much to take, how often, and what to take at all: questions for whoever prescribes.
//!
//! Asking for a prescription has no category of its own in seed 003 and belongs here.

use super::{Group, Table};
use crate::domain::triage::scope::Category;

/// Frames of dosage.
pub const TABLES: &[Table] = &[
    Table {
        group: Group::Reject(Category::Dosage),
        rule: "dosage-how-much",
        phrases: &[
            "<dose> ..2 max*|minim*|recomendad*|recommended|cert*|correct*|ideal|normal|diaria|\
             daily|adequad*|adecuad*|segura|safe|usual|letal|right|exata|pediatric*",
            "max*|minim*|highest|lowest|recommended|normal|correct|right|usual|safe|starting|daily|\
             typical|standard|proper|melhor|mejor|typical|average|lethal|adult|pediatric <small>? \
             <dose>",
            "<dose> of|for|de|del|da|do|para|pra|per|por <small>? ..2 <drug>|<med>|<statin_drug>|\
             <inhaler_drug>|<antidep_drug>|crianca|nino|child|adult|adulto|kg|peso|bebe",
            "qual|cual|what|whats|which ..4 <dose>",
            "what|how <small>? <small>? <dose>",
            "<dose> for|of|in|por|per ..1",
            "<dose> $",
            "<how_much>|many|much ..3 <unit> ..6 <take>|<drug>|posso|devo|puedo|debo|should|can|\
             dia|day|filho|hijo|son|recommended",
            "<how_much>|many|much ..2 mg|mgs|mcg|ml|gotas|puffs|jatos|miligramas|miligramos|\
             milligrams|unidades|units",
            "how much|many <small>? <small>? ..2 <drug>|<med>|<statin_drug>|<inhaler_drug>|\
             <antidep_drug> ..4 <take>|to|for|should|can|do|is|adult|adults|child",
            "<how_much> ..2 <drug>|<med>|<statin_drug>|<inhaler_drug>|<antidep_drug> ..3 <take>|\
             posso|puedo|devo|debo",
            "<how_much> ..2 <want> ..2 <take> ..3 <med>|<drug>|<statin_drug>|<inhaler_drug>|\
             <antidep_drug>|$",
            "<how_much> ..4 <take> ..3 <drug>|<med>",
            "what|which|que|qual|cual strength|concentracao|concentracion|potency of|de|do ..2",
            "daily|total|right|safe|max* amount|quantity of",
            "amount of ..5 <take>",
            "quantidade|cantidad de|d|certa|correcta ..3 <med>|<drug>|<take>|<statin_drug>|\
             <inhaler_drug>|<antidep_drug>",
            "how often ..2 <want>|should|can|do ..2 <take>",
            "<how_much> em <how_much> horas|tempo",
            "cada <how_much> horas|tiempo|tempo",
            "<how_much> vezes|veces ..3 <want> ..2 <take>",
            "<how_much> vezes|veces por|al dia ..4 <take>|<med>|<drug>",
            "how many times ..6 <take>",
            "how long|far apart|between ..6 <take>|<drug>|<med>|doses",
            "quanto|cuanto tempo|tiempo entre ..3 <dose>|<med>|tomas",
            "<take> ..2 #number|um|uma|una|uno|dois|one|1 <unit>? ou|o|or ..1 #number|dois|duas|dos|two|2",
            "#number|um|uma|una|uno|one ou|o|or #number|dois|duas|dos|two|2 <unit> ??",
            "#number|duas|dois|tres|dos mg|mcg|ml ou|o|or ..1 #number",
            "is #number ..2 mg|mcg|ml|pills|tablets ..6 much|enough|safe|ok|okay",
        ],
    },
    Table {
        group: Group::Reject(Category::Dosage),
        rule: "dosage-change",
        phrases: &[
            "<change> ..3 <dose>",
            "<dose> ..2 dobrad*|doble|double|dupla|extra|maior|menor|mayor|higher|lower|menos",
            "<dose> ..3 por <small>? conta|cuenta",
            "<change> ..3 <med>|<drug>|<statin_drug>|<inhaler_drug>|<antidep_drug> ..4 por|on \
             conta|minha|mi|own|my|propria|cuenta",
            "double|doubling|dobro|doble|extra|two|2|dos|duas <small>? <dose>",
            "<change> ..2 mg|miligramas|miligramos|gotas",
            "aumentar|diminuir|reduzir|dobrar|duplicar|baixar|reducir|aumentarle|subir|\
             bajar|disminuir|increase|double|reduce|lower ..3 <med>|<drug>|<statin_drug>|\
             <inhaler_drug>|<antidep_drug> ..3",
            "<take> ..2 mais|more|menos|less|mas ..2 do|que|than ..4 receit*|recet*|prescri*|\
             mandou|indic*|told|doctor|medico",
            "<take> <how_much>? dois|duas|dos|two|2|tres|three|double|extra|mais|otra|outro|outra|\
             otro|another ..1 <unit>|<dose> ..3 vez|juntos|juntas|once|tiempo|together|mesmo|mismo|\
             compens*|esqueci|olvid*|missed|forgot|dor|pain|dolor|$",
            "<want> <small>? <take> dois|duas|dos|two|2|tres|three|double|outro|outra|otra|otro|\
             another|mais|more|extra ..1 <unit>|<dose>|<drug>",
            "can|should|may|could i take ..2 two|2|3|three|double|extra|more|another|half ..3",
            "tomar em dobro|doble",
            "<take> dos|duas|dois|two|2|doble si|se|if ..4",
        ],
    },
    Table {
        group: Group::Reject(Category::Dosage),
        rule: "dosage-split",
        phrases: &[
            "<split> ..4 <unit>|<med>|<drug>|<statin_drug>|<antidep_drug> ..3 <half>",
            "<split> ..2 <unit>|<med> ..2 <half>|$",
            "<split> ..2 <half> ..2 <unit>|<med>|<drug>",
            "<half> <small>? <unit>",
            "can|should|posso|puedo|dejo|da|se|pode|puede|devo|debo <small>? <split> ..3 <unit>|<med>|<drug>|\
             <statin_drug>|<antidep_drug>",
            "<take> ..1 <half> <small>? <small>? <unit>|<drug>|<dose>",
        ],
    },
    Table {
        group: Group::Reject(Category::Dosage),
        rule: "dosage-prescribe",
        phrases: &[
            "what|which|que|cual|qual <med> treats|treat|trata|cura|cures|combate ..4",
            "qual|quais|que|cual|cuales|what|which|q <small>? <small>? <med> ..4 <take>|\
             compro|comprar|buy|bom|bueno|good|serve|sirve|melhor|mejor|best|recomenda*|\
             recomienda*|recommend|indicad*|indica|me",
            "qual|quais|que|cual|cuales|what|which|q <small>? <small>? <med> <small>? <small>? \
             <symptom>",
            "melhor|mejor|best|bom|bueno|good <small>? <small>? <med> para|pra|for|contra ..2 \
             <symptom>|<disease>",
            "me receita|recete|receite|receta|prescreve|prescreva|recomenda|recomiende|recomienda|\
             indica|indique|passa|passe ..3 <med>|<drug>|algo|antibiotic*|<statin_drug>|\
             <antidep_drug>",
            "recetame|receteme|prescribeme",
            "receita|receitar|recetar|recetas|receitas|prescrever|prescribir me|algo|um|un|uma|una|alguma|alguna",
            "prescribe|prescribing me|something|some|a|antibiotic*|<drug>|<med>",
            "preciso|quero|necesito|quiero|need|want de? <small>? receita|receta|prescription para|\
             pra|de|for|del|do",
            "que|oq|what <want> <small>? <take> para|for|pra|contra ..3 <symptom>|<disease>|<mood>",
            "que|oq|what <want> <small>? <take> ??",
            "que|oq <take> para|pra|for|contra ..3 <symptom>",
            "<take> o que|oq|oque|que|what para|pra|for ..2 <symptom>",
            "o|lo que tomar|tomo|usar para|pra|contra",
            "tem algum|alguma <med> para|pra ..2 <symptom>",
            "hay algun|alguna <med> para ..3 <symptom>",
        ],
    },
    Table {
        group: Group::Spared(Category::Dosage),
        rule: "not-dosage",
        phrases: &[
            "<how_much> custa|cuesta|custam|cuestan|e|es|fica|vale|sai|pago|gasto",
            "how much is|does|do <small>? <small>? <med>|<drug>|<statin_drug>|<inhaler_drug>|\
             <antidep_drug>|it cost|costs|$",
            "<how_much> <small>? dinheiro|dinero|plata|grana",
            "how much money|cost|longer|time",
            "missed|skipped|forgot|pulei|perdi|esqueci|olvide|salte|skip|miss|perder|esquecer|\
             forget|olvidar|late|next|proxima|seguinte ..2 <dose>",
            "<dose> ..2 esquecida|perdida|atrasada|olvidada|missed|late|ontem|ayer|yesterday $",
            "que|o|what|whats e|es|is|significa posologia",
            "dose certa de humor|carinho|amor",
            "meio ambiente|dia|periodo",
            "media hora",
            "meia noite|hora",
            "half an|hour|price|my",
        ],
    },
];
