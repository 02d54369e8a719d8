//! Which illness it is: a question for whoever examines.

use super::{Group, Table};
use crate::domain::triage::scope::Category;

/// Frames of diagnosis.
pub const TABLES: &[Table] = &[
    Table {
        group: Group::Reject(Category::Diagnosis),
        rule: "diagnosis-do-i-have",
        phrases: &[
            "como|how ..2 saber|sei|se|know|tell|descobrir|descubro|identificar|saberia ..1 se|si|\
             if|whether|que ..2 tenho|estou|to|tive|tengo|estoy|tuve|have|had|am|im|tendo|seja|es|seria|\
             sea|is|e|eh|peguei|sou|soy ..5 <disease>|<symptom>|<mood>",
            "como|how ..2 saber|sei|know|tell se|si|if <not>? <not>? estou|tendo|estoy|im com|con|\
             tendo|having|sufrindo|sofrendo|doente|enferm*",
            "sera que <small>? <small>? tenho|estou|to|tengo|estoy|e|es|seria|peguei|pegue|tive|sou|\
             pode|puede|tem|sea|estar ..4 <disease>|<mood>|grave|serio",
            "sera <disease>|<mood> ??",
            "sera que? ..2 <disease>|<mood> ??",
            "sera|seria|podria|poderia|pode|puede|could|might ..2 <small>? ser|estar|be|have|tener|\
             ter ..3 <disease>|<mood>|having",
            "acho|creo|pienso|suspeito|sospecho|desconfio|think|believe|suspect|worried|medo|miedo \
             ..3 estou|tenho|to|tengo|estoy|have|im|am|having|got|peguei|pegue|caught|contrai|desenvolvi|ter|estar|tener ..4 <disease>|\
             <mood>",
            "tenho|estou|tengo|estoy|have|am|will|i|to ..3 <disease>|<mood> , ..1 confirma|verdad|\
             certo|right|ne|cierto|nao|sera|no",
            "tenho|tengo|estou|estoy com|con ..1 <disease> $",
            "^ tengo|tenho|estou|estoy|sou|soy|to con|com? <small>? <disease>|<mood> ??",
            "<symptom> <small>? e|eh|es|is|seria|sera|pode|puede|could ..2 <disease>",
            "isso|eso|esto|this|that|isto ..4 e|eh|es|is|seria|sera|pode|puede <small>? <disease> ??",
            "do|could|does|might i|he|she|my|it ..2 have|be ..3 <disease>|<mood>|cancer|something|pressure|sugar",
            "am i|having ..3 <disease>|<mood>|dying|sick",
            "is it|this|that ..2 <disease>|<mood>",
            "isso|eso|esto|isto|this|that e|eh|es|seria|pode|puede|is|could|sao|sera|parece|looks ..3 \
             <disease>|<mood>|grave|serio|serious|normal",
        ],
    },
    Table {
        group: Group::Reject(Category::Diagnosis),
        rule: "diagnosis-symptoms",
        phrases: &[
            "sintoma|sintomas|sinal|sinais|sintoma|senales|symptom|symptoms|signs|sign <small>? \
             <small>? ..1 sao|son|are|is|e|es|of|de|del|da|do|indica* ..3 <disease>|<mood>|que|\
             what|grave",
            "estes|esses|estos|esos|these|those|meus|mis|my sintomas|symptoms ..4",
            "are|is these|this|those ..4 <disease>|<mood>|symptoms|serious",
            "que|qual|what|which|cual|q <small>? doenca|enfermedad|disease|illness|condition|\
             problema|diagnostico|diagnosis ..3 tenho|tengo|have|sera|seria|e|es|is|causa|causes|da|provoca|deixa|faz|tem|\
             posso|puedo|meu|mi|my",
            "o que|lo que|oq sera|e|eu ..2 tenho|tengo|isso|essa|esse",
            "o que|oq eu? tenho $",
            "que tengo|tendre|enfermedad|sera|tenho $",
            "que tengo yo? , ..3",
            "what do i have",
            "what|whats is? wrong|going with|on",
            "whats wrong",
            "o que|oq|que <small>? pode|puede|podria|poderia|sera ser|causar|causando|essa|esse|\
             esta|este|isso ..4",
            "por|porque|pq|why que? ..3 <symptom> ??",
            "que sera|seria|es|e ..2 <symptom> ??",
            "por|porque|pq que? ..2 tenho|sinto|estou|tengo|siento|doi|duele|estoy|me ..2 \
             <symptom>|tont*|inchad*|cansad*|doi|duele",
            "what|que|o causes|causing|causa|causando ..3 <symptom>",
            "why do|am|does|is i|my ..3 <symptom>|hurt|hurts|hurting|tired",
            "diagnostic*|diagnose|diagnosis|diagnosing",
            "is|could|e|es|pode <small>? <small>? ser|be|it ..1 grave|serio|serious|cancer|infarto|\
             covid",
            "<symptom> ..5 o que|oq e|pode|sera|seria|tenho",
            "estou gravida|doente|infectad*",
            "estoy embarazada|enferm*|infectad*",
        ],
    },
    Table {
        group: Group::Spared(Category::Diagnosis),
        rule: "not-diagnosis",
        phrases: &[
            "cold turkey|water|drink|weather|beer",
            "saber|know|sei se|if|si <small>? tenho|have|tengo ..1 direito|desconto|saldo|consulta|\
             receita|derecho|descuento|cita|appointment|hora|horario|cadastro",
            "medico|medica|doctor|doutor|doutora ..3 diagnosticou|diagnostico|diagnosed",
            "fui|fue|foi|was|been|recem|recien|just diagnos*",
            "isso|eso|this|that e|is|es normal $",
        ],
    },
];
