//! Drugs of three kinds, and the habit of taking whatever was prescribed.

use super::{Group, Table};
use crate::domain::triage::scope::Domain;

/// Frames of the four domains of medicines.
pub const TABLES: &[Table] = &[
    Table {
        group: Group::About(Domain::Statin),
        rule: "statin",
        phrases: &["<statin_drug>", "<cholesterol>"],
    },
    Table {
        group: Group::About(Domain::Inhaler),
        rule: "inhaler",
        phrases: &["<inhaler_drug>", "camara espacadora|espaciadora", "falta de ar", "rescue puff"],
    },
    Table {
        group: Group::About(Domain::Antidepressant),
        rule: "antidepressant",
        phrases: &["<antidep_drug>", "<mood>", "anti depress*", "anti depres*"],
    },
    Table {
        group: Group::About(Domain::AdherenceGeneral),
        rule: "adherence-drug",
        phrases: &["<med>", "<drug>"],
    },
    Table {
        group: Group::About(Domain::AdherenceGeneral),
        rule: "adherence-habit",
        phrases: &[
            "esqueci|esqueco|esquecer|esquecendo|esqueceu|olvide|olvido|olvidar|olvidarme|forgot|\
             forget|forgetting|pulei|pular|pulo|salte|saltar|skip|skipped|skipping|missed|miss|\
             missing|parei|parar|paro|deixei|deje|dejar|stop|stopped|stopping|quit|quitting|\
             larguei|largar|abandonei|abandonar|abandone|interromp*|suspend*|suspender|lembrar|\
             lembro|recordar|acordarme|remember|comecei|comecar|empezar|empece|start|started ..2 \
             tomar|tomarlo|tomarla|taking|take|dose|doses|dosis|toma|tomas|tratamento|tratamiento",
            "lembrete|lembretes|recordatorio|recordatorios|reminder|reminders|alarme|alarma|alarm \
             ..4 tomar|tomo|toma|taking|take|dose|dosis|horario|saude|salud",
            "melhor|mejor|best|good|bom hora|horario|time|momento|period ..3 tomar|take|taking",
            "habito|habit|rotina|rutina|routine ..3 tomar|taking|toma",
            "when|quando|cuando <want>? <small>? <small>? take|tomar|tomo",
            "tomar|tomo|take|taking ..2 antes|depois|despues|before|after|with|com|con|without|sem|\
             sin ..2 comida|comer|food|meals|refeicao|refeicoes|cafe|almoco|desayuno|breakfast|\
             alcohol|alcool|cerveja|dormir|jejum|ayunas|milk|leite|leche|agua|water|cena",
            "adesao|adherencia|aderencia|adherence|adherent",
            "efeito|efeitos|efecto|efectos|side colatera*|secundari*|effect|effects|advers*",
            "<dose> ..2 esquecida|perdida|atrasada|olvidada|missed|late|ontem|ayer|yesterday",
            "missed|skipped|forgot|pulei|perdi|esqueci|olvide|salte ..2 <dose>",
            "receita|receta venceu|vencida|vencio|acabou|renovar|nova|nueva",
            "renovar|renew|refill|renovo ..2 receita|receta|rx|prescription|it",
            "refill|refills",
        ],
    },
];
