//! Words that judge the service in one message and name a thing in the next.
//!
//! "lixo", "burro", "horrível", "odeio" and "não funciona" are anger when they stand alone or are
//! aimed at the bot, the service, the listener or "isso", and nothing when they are about waste,
//! an animal, the weather or an onion. So each needs a frame. A question mark excuses the weak
//! ones ("o app é lento?").

use super::group::{Group, Table};
use super::reading::Reading;
use super::words::Class;

/// Frames that aim a judgement.
pub const TABLES: &[Table] = &[
    Table {
        group: Group::Evaluation,
        rule: "evaluative",
        phrases: &[
            // "esse bot é muito burro", "isso é um lixo", "o atendimento de vocês tá horrível"
            "<bot>|<service> ..3 <copula> <intens>? <intens>? <eval>|<trash>|<insult>",
            "<it>|<you> <copula> <intens>? <intens>? <intens>? <eval>|<trash>|<insult>",
            "eres|sos <intens>? <intens>? <bot>? <insult>|<eval>|<trash>|<weak>",
            "<copula> <you> <intens>? <intens>? <insult>|<eval>|<trash>",
            "<you> <intens>? , <insult>",
            "<insult> <you> <copula>",
            "<insult> que eres|sos",
            // "bot burro", "serviço lixo", "péssimo atendimento", "lixo de app"
            "<bot>|<service> , <intens>? <intens>? <eval>|<trash>|<insult>",
            "<eval>|<insult>|pior|peor|worst <bot>|<service>",
            "<trash>|<insult> de|d|of <filler>? <bot>|<service>|merda",
            "<eval> o|a|esse|este|essa|esta|el|la <bot>|<service>|postura|forma|maneira|jeito",
            "<trash>|<insult> esse|essa|este|esta <bot>|<service>",
            "que <intens>? <bot>|<service> , <intens>? <eval>|<trash>|<insult>|<weak>",
            "seu|sua|seus|suas|tu|your <bot>? artificial? <insult>|<trash> $",
            "son|sao uns|umas|unos|unas <insult>",
            "inteligencia artificial burra|idiota|inutil|ridicula|estupida|tonta|merda|lixo",
            // whatever is called rubbish in so many words
            "<copula> um|uma|uns|umas <intens>? lixo|merda|bosta|porcaria|cu|vergonha|palhacada|\
             piada|desastre|porra|absurdo|descaso|desrespeito|nojo|enganacao|fraude",
            "<copula> una|un <intens>? basura|mierda|porqueria|verguenza|asco|burla|desastre|\
             estafa",
            "<copula> a|such|total|complete <intens>? joke|disgrace|garbage|trash|shit|crap",
            "<copula> <intens>? pessim*|ridicul*|vergonhos*|inaceitave*|inadmissive*|deplorave*|\
             lamentavel|revoltante",
            "<copula> um|uma coco|bagunca|zona|circo|bosta",
            "<eval> o|como|lo que|q|<you> ..1 <you>|fazem|fizeram|tratam|hacen|tratan|atendem",
            "<you> people|guys|folks|all <copula> <intens>? <intens>? <eval>|<insult>|<trash>",
            "que|q <service>|<bot>|gente|raca|povo ..2 <insult>|mal",
            "raca|povo|gentinha|gente|cambada <filler>? de? gente? <insult>",
            "que mal|mala|pesim* <service>",
            "<service>|<bot> mal educad*|criad*|educado",
            "<you> guys|people|folks|todos? <copula> a|un|uma|um|una? scam|fraud|estafa|golpe|farsa|ripoff",
            "<copula> a|total|such? scam|ripoff|fraud",
            "essa|esse|esta|este|ese bodega|joca|geringonca|bagulho|troco|treco|coisa|cosa|porqueria|\
             chingadera <not>|so ..1 funciona|presta|serve|funfa|sirve|trava|anda",
            "worst <filler>? <filler>? customer? <service>|company|bank|experience|ever",
            "<intens> lixo|porcaria|bosta|merda $",
        ],
    },
    Table {
        group: Group::Evaluation,
        rule: "evaluative-hate",
        phrases: &[
            "odeio|detesto|odio|odiei|odiando|hate|detest <intens>? <bot>|<it>|<you>|<service>",
            "odeio|detesto|odio|hate esse|essa|este|esta|esses|essas|o|a|os|as|falar|conversar|\
             ter|ser|este|the|your ..2 <bot>|<service>",
            "odeio|detesto|odio quando|cuando|esperar ..4 <not> respond*|funcion*|entend*|\
             atend*|resolv*|demor*",
            "te|os odeio|odio",
            "odeio quando demora*",
            "<bot>|<it> ..1 odeio",
        ],
    },
    Table {
        group: Group::Evaluation,
        rule: "evaluative-fails",
        phrases: &[
            "nada <filler>? <filler>? <filler>? funciona|presta|funfa|sirve|works|funcionando|\
             resolve",
            "<not> funciona|funfa|presta|serve|vale|funcionam|prestam|servem|sirve|sirven|\
             sirvio|servis|sirves|sirvieron|serviu <filler>? <filler>? nada|nunca|direito|merda|\
             porra|nadie|mesmo",
            "<not> serve|sirve|sirvio|sirves|servem pra|para|de nada",
            "<bot> <filler>? nao|n|nunca|no|num funciona|presta|funfa|serve|sirve|ajuda|resolve|\
             entende|funcionou|responde|ayuda|entiende|resuelve",
            "<it> <filler>? nao|n|nunca|no|num funciona|presta|funfa|serve|sirve",
            "<not> vales|vale nada",
            "<you>|<bot> <not> <copula> <intens>? inteligente|util|capaz|esperto|smart",
            "so|solo fala|diz|responde|dice|dices|falam besteira|bobagem|asneira|merda|bosta|\
             abobrinha|tonterias|estupideces",
            "<bot> <filler>? nao|n|nunca|no <can>|<copula> funcion*|entend*|respond*|ajud*",
            "no sirves|sirve $",
            "nunca funciona|funcionou|funcionam",
            "nothing works|worked|helps|helped",
            "doesnt|isnt|not|never|dont work*|help* at|anything|again|anymore",
            "<it>|<bot> doesnt|isnt|never|not work*|help*",
            "<bot>|<you>|<it> ..1 useless|worthless",
            "<not> <copula>? helpful|helping",
            "<copula> not helping|helpful",
            "no <filler>? estas|me ayudando|ayudas|ayuda|sirves",
            "<not> tienes|tiene|tem|tens cerebro|inteligencia|cerebelo|nocao|capacidade",
            "what a <intens>? <trash>|shame",
            "<it>|<service> ..1 <copula> uma zona|bagunca|esculhambacao",
            "que <intens>? burrice|ignorancia|incompetencia|palhacada|porcaria|absurdo|descaso|\
             vergonha|desrespeito|decepcao|desaforo|horror|nojo|verguenza|estupidez|tonteria",
        ],
    },
    Table {
        group: Group::MildEvaluation,
        rule: "evaluative-mild",
        phrases: &[
            "<bot>|<you> <copula> <intens>? <intens>? <weak>",
            "<it> <copula> <intens> <weak>",
            "<service> ..2 <copula> <intens> <intens>? <weak>",
            "<service> <copula> <weak> $",
            "<bot> , <intens>? <weak>",
            "<weak> bot|robo|robot|app",
            "<service> <intens> <weak>",
            "pior|peor|worst <bot>|<service>",
            "<copula> o|a pior|peor|worst",
            "o|a|os|the|el|la pior|peor|worst <filler>? <bot>|<service>|coisa",
            "<service> horrivel|horriveis|pessim*|ruim|lixo",
        ],
    },
    Table {
        group: Group::Harmless,
        rule: "not-aimed",
        phrases: &[
            "saco|sacos|sacola|cesto|lata|taxa|coleta|caminhao|lixeira|lixeiro|imposto|tarifa|\
             dia|reciclagem|recolhimento de|do|da|dos lixo|lixos",
            "no|ao|pro|para|pra|do <filler>? lixo",
            "tira|tirar|levar|joga|jogar|jogou|joguei|separar|botar|colocar o|a lixo",
            "burro|burra preto|preta|de|do|da carga|sitio|fazenda",
            "sou|fui|to|estou|me|eu <intens>? <insult>|<eval>",
            "piada de|do|da pai|tio|salao",
            "conta|contar|conte|contando uma|outra|a piada|piadas",
            "boi|cavalo e burro",
            "o que e|eh|significa um? <trash>|<eval>|<insult>",
            "vergonha|droga|burrice , <filler>? esqueci|errei|confundi|desculpa|desculpe|perdi|\
             atrasei|esquecido",
            "absurdo de bom|boa|boas|bons|lind*|barat*|gostos*|legal|bonit*",
            "orgao|remedio|droga|drogas generic*",
            "tenho|tive|com|sinto vergonha",
        ],
    },
];

/// Words allowed beside a judgement that stands alone.
const COMPANY: [Class; 7] =
    [Class::Filler, Class::Intens, Class::It, Class::You, Class::Bot, Class::Service, Class::Curse];

/// The rule by which the message judges the service, the bot or the listener.
pub fn detect(reading: &Reading) -> Option<&'static str> {
    let aimed = reading.hits(Group::Evaluation).find(|h| {
        let other = h.rule == "evaluative" && blames_other(reading, h.start);
        !other && !(h.start..h.end).any(|i| reading.harmless(i))
    });
    if let Some(hit) = aimed {
        return Some(hit.rule);
    }
    let mild = reading
        .hits(Group::MildEvaluation)
        .find(|h| !reading.text.tokens[h.start].question && !reading.harmless(h.start));
    if let Some(hit) = mild {
        return Some(hit.rule);
    }
    stands_alone(reading).then_some("evaluative-alone")
}

/// Whether the judgement that starts at `index` is about something nobody blames on the company.
fn blames_other(reading: &Reading, index: usize) -> bool {
    let aimed = [Class::Bot, Class::You, Class::Service];
    if aimed.iter().any(|c| reading.is(index, *c)) {
        return false;
    }
    reading.before(index, 6).chain([index]).any(|i| {
        (reading.is(i, Class::Calm) || reading.is(i, Class::Me)) && !reading.is(i, Class::Service)
    })
}

/// Whether some clause consists of a judgement and of words that add nothing to it.
fn stands_alone(reading: &Reading) -> bool {
    reading.clauses().any(|clause| {
        let judges = |i: usize| {
            let strong = [Class::Eval, Class::Trash, Class::Insult];
            (strong.iter().any(|c| reading.is(i, *c)) || hates_or_fails(reading, i))
                && !reading.harmless(i)
                && !reading.is(i, Class::Curse)
        };
        let beside =
            |i: usize| COMPANY.iter().any(|c| reading.is(i, *c)) || reading.is(i, Class::Copula);
        let defined = matches!(
            (reading.text.word(clause.start), reading.text.word(clause.start + 1)),
            ("o", "que") | ("que", "es" | "significa") | ("what", "is")
        );
        let first_person =
            |i: usize| matches!(reading.text.word(i), "sou" | "estou" | "to" | "eu" | "so");
        let own = |i: usize| matches!(reading.text.word(i), "meu" | "minha" | "mi" | "my");
        let theirs =
            clause.clone().any(|i| reading.is(i, Class::Service) || reading.is(i, Class::Bot));
        let blamed = |i: usize| judges(i) && (theirs || !clause.clone().any(own));
        clause.len() <= 12
            && !defined
            && clause.clone().any(blamed)
            && clause.clone().all(|i| judges(i) || beside(i))
            && !clause.clone().any(first_person)
            || clause.len() <= 8 && mildly_alone(reading, clause)
    })
}

/// "muito ruim", "ruim demais": a weak word, strengthened, and nothing else.
fn mildly_alone(reading: &Reading, clause: std::ops::Range<usize>) -> bool {
    let weak = clause.clone().any(|i| reading.is(i, Class::Weak));
    let strong = clause.clone().any(|i| {
        matches!(
            reading.text.word(i),
            "muito" | "mt" | "mto" | "demais" | "que" | "super" | "muy" | "tao" | "very" | "so"
        )
    });
    let asked = reading.text.tokens[clause.start].question;
    weak && strong
        && !asked
        && clause.clone().all(|i| {
            reading.is(i, Class::Weak)
                || COMPANY.iter().any(|c| reading.is(i, *c))
                || reading.is(i, Class::Copula)
        })
}

/// "odeio" and "não funciona" as judgements of one clause.
fn hates_or_fails(reading: &Reading, index: usize) -> bool {
    let before = |i: usize| index > 0 && reading.is(index - 1, Class::Not) && i > 0;
    match reading.text.word(index) {
        "odeio" | "detesto" | "odiei" | "odio" => true,
        "funciona" | "funcionam" | "presta" | "funfa" | "funcionou" => before(index),
        "nao" | "n" | "no" | "num" => {
            matches!(reading.text.word(index + 1), "funciona" | "funcionam" | "presta" | "funfa")
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Option<&'static str> {
        detect(&Reading::of(text))
    }

    #[test]
    fn the_bare_vocabulary_is_frustration() {
        for text in [
            "lixo",
            "burro",
            "inútil",
            "merda",
            "porra",
            "não funciona",
            "horrível",
            "odeio",
            "Burro!",
            "nao funciona isso",
            "que horrível",
            "lixo mesmo",
        ] {
            assert!(
                rule(text).is_some()
                    || super::super::profanity::detect(&Reading::of(text)).is_some(),
                "{text}"
            );
        }
    }

    #[test]
    fn judgements_aimed_at_the_service_are_frustration() {
        for text in [
            "esse assistente é muito burro",
            "isso aqui é uma porcaria",
            "o atendimento de vocês tá péssimo",
            "app lixo",
            "que sistema ridículo",
            "odeio esse robô",
            "isso não funciona",
            "nada funciona aqui",
            "você não serve pra nada",
            "o suporte é ruim demais",
            "eres muy tonto",
            "this app is useless",
        ] {
            assert!(rule(text).is_some(), "{text}");
        }
    }

    #[test]
    fn calm_uses_of_ambiguous_words_pass() {
        for text in [
            "quanto é a taxa de lixo desse ano?",
            "meu sítio fica em Burro Preto",
            "odeio jiló, tira da lista",
            "vocês não funcionam na segunda?",
            "o filme foi horrível mas valeu",
            "horrível esse calor",
            "joguei o cupom no lixo",
            "tive um dia péssimo",
            "o cartão virtual não funciona na loja física?",
            "o aplicativo é lento?",
            "fui burro e errei o valor",
        ] {
            assert_eq!(rule(text), None, "{text}");
        }
    }
}
