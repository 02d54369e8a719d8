//! What a laboratory value or a report means: a question for whoever ordered it.

use super::{Group, Table};
use crate::domain::triage::scope::Category;

/// Frames of interpretation.
pub const TABLES: &[Table] = &[
    Table {
        group: Group::Reject(Category::Interpretation),
        rule: "interpretation-meaning",
        phrases: &[
            "<explain> ..5 <exam> ..4 #number",
            "<explain> dizer|decir ..6 <exam>",
            "significa|significam|significan|mean|means|meaning|interpret*|analis*|analiz*|avalia*|\
             evalua*|lee|leer|ler|read ..6 <exam>",
            "<exam> ..6 significa|significam|significan|mean|means",
            "<exam> ..5 quer|quiere dizer|decir",
            "entender|entendo|entiendo|understand|explica|explicar|explique|explain|explicame|\
             ajuda|ayuda|help ..5 <exam>",
            "<exam> ..4 explica|explicar|explain|entender|understand|interpret*|analis*",
            "veja|ve|olha|olhar|ver|vea|mira|mirar|revisa|revisar|check|look|review|confere ..4 \
             exame|exames|examen|examenes|resultado|resultados|laudo|results|labs|analisis|\
             hemograma",
            "que|o|what|whats e|eh|es|is|sao|son|are <small>? <exam> ..1 <judge>",
            "white|red blood cell|cells|count ..5",
            "numeros|numbers|valores|values|niveis|niveles|levels ..3 <exam>|cholesterol|colesterol",
            "<exam>|blood|sangue|sangre ..2 numeros|numbers|valores|values|levels|test|work ..6 \
             mean|means|significa*|normal|high|low|bad|explain|interpret",
            "interpret*|read|explain|understand|what ..4 blood|lab|test|scan ..1 test|tests|work|\
             results|result",
            "mean|means ..4 lab|blood|test|scan results|test|work",
            "test|lab|blood|scan results ..3 mean|normal|say|show|bad|good",
        ],
    },
    Table {
        group: Group::Reject(Category::Interpretation),
        rule: "interpretation-value",
        phrases: &[
            "<exam> #number ..3 e|eh|es|is|seria|indica|significa ..2 <disease>",
            "e|eh|ta|esta|es|is|are|estao|estan normal|normais|normales|alto|alta|bom|bien|bueno|ok ..3 <exam>",
            "normal ..2 <exam> level|levels|range|value",
            "<exam> ..1 normal range|level|levels|value",
            "what|whats ..3 normal ..2 <exam>|<drug> level|levels|range",
            "<exam> says|say|diz|dice|mostra|muestra|shows|show|apontou|arrojo ..4",
            "<exam> ..5 #number ..6 <judge>",
            "<exam> ..4 #number , ..5 <judge>",
            "#number <small>? <small>? <exam> ..5 <judge>",
            "#number <small>? <small>? <exam> , ..4 <judge>",
            "<exam> ..3 #number $",
            "<exam>|glicemia|pressao|presion ..3 #number ..2 #number",
            "pressao|presion|pressure ..4 #number",
            "#number #number? blood? pressure|pressao|presion|glucose|sugar|glicose",
            "#number ..2 for|de|para|pra|em|en ..2 <exam>",
            "is|es|e|eh|ta|esta #number ..2 <judge> ..3 <exam>|$",
            "my|meu|minha|mi|meus|mis|o|a|el|la|los|os <exam> ..5 <judge> $",
            "<exam> ..2 deu|salio|salieron|dio|came|veio|ficou ..4 <judge>|alterad*|positiv*|\
             negativ*|reagente|#number|back",
            "resultado|resultados|results|exames|exame|examen|examenes|laudo|labs ..4 <judge>",
            "<exam> ..3 alterad*|elevad*|elevated|abnormal|fora",
            "valor|valores ..1 normal|normais|normales|referencia ..3 <exam>",
            "normal range|level|levels|value of|for ..3",
        ],
    },
    Table {
        group: Group::Spared(Category::Interpretation),
        rule: "not-interpretation",
        phrases: &[
            "<med>|pill|pastilla|comprimido|remedio de|do|da|del|para|pra|for <small>? \
             <exam>|pressao|presion",
            "marcar|agendar|fazer|remarcar|hacer|schedule|book ..2 <exam>",
            "alt|ct ..1 tab|delete",
            "resultado do|de|da jogo|partida|loteria|eleicao|mega|partido|enem|sorteio",
            "resultado del partido|juego",
        ],
    },
];
