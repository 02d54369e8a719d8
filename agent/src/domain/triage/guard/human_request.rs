//! A customer who asks for a person.
//!
//! The core is a verb of contact or of wanting with a person at the end of it. Three things turn
//! such words into something else, and each is looked for to the left of the verb, in its own
//! clause: a refusal ("não quero falar com atendente"), a story, plan or reminder ("vou falar com
//! o gerente amanhã", "consegui falar com alguém"), and a question about who is speaking ("você é
//! humano?"). A negated ability is still a request ("não tem como falar com alguém?").

use super::group::{Group, Hit, Table};
use super::human_governor::is_request;
use super::reading::Reading;
use super::words::Class;

/// Frames of a request.
pub const TABLES: &[Table] = &[
    Table {
        group: Group::Human,
        rule: "human-talk",
        phrases: &[
            "<talk> <chain>? <chain>? com|c|cm|con|with|to|a|al|p|pra|para|pro|ao|cum <det>? \
             <det>? <role>|<staff>|<anyone>",
            "<talk> <det>? <det>? <role>|<anyone>",
            "<talk> direto|diretamente|logo|urgente|agora|ai com|c|con <det>? <det>? <role>|\
             <staff>|<anyone>",
            "<talk> com|c|con|with|to quem|quien|who|someone manda|resolve|resolva|entende|\
             entenda|possa|pode|decide|saiba|puede|pueda|can",
            "<talk> ..1 <anyone>|<role> que|do|da|de|from|del|who",
        ],
    },
    Table {
        group: Group::Human,
        rule: "human-transfer",
        phrases: &[
            "<transfer> <chain>? <chain>? para|pra|pro|p|pros|com|c|con|a|al|ao|to|with|through|\
             over|on <det>? <det>? <role>|<staff>|<anyone>",
            "put|get|patch me? through ..3",
            "<transfer> ..2 para|pra|pro|com|con|a|to|with <det>? <det>? <role>",
            "<transfer> <chain>? <det>? <role>",
            "<transfer> ..3 contato|contacto|touch|comunicacao|comunicacion com|con|with <det>? \
             <det>? <role>|<staff>|<anyone>",
        ],
    },
    Table {
        group: Group::Human,
        rule: "human-summon",
        phrases: &[
            "<summon> <chain>? <chain>? <det>? <det>? <role>|<staff>",
            "<summon> <chain>? <chain>? <det>? <anyone> <real>|de|do|que|ai|please|now|$",
            "atendido|atendida|atendidos por|pelo|pela|con <det>? <role>|<staff>|<anyone>",
            "<attend> <det>? <role>",
            "atienda|atiende|atenda|atende|atender <det>? <role>|<anyone>",
            "<anyone>|<role> <filler>? <can>? <filler>? me|nos atende|atenda|atender|atienda|\
             atiende",
            "atenderme|atendernos <det>? <role>|<anyone>",
            "me|nos da|ve|arruma <det>? <role>",
            "me|nos transferir|transfere|transfira|transferem|transferirem $",
            "are|is there also? humans|people",
            "tem|ha|hay|teria|existe <anyone> do|da|de|del <det>? <staff>|<role>|loja|empresa",
            "<anyone> ..2 me|nos atienda|atenda|atender|atendesse",
            "<anyone>|<role> ..3 <can> me|nos atender|transferir",
            "tem|ha|hay ninguem|nadie|alguem pra|para|que ..1 atender|atenda|falar|atienda",
            "<anyone>|<role> <can>? me|nos ligue|ligar|ligasse|llame|llamar|contacte|retorne|\
             chame|call",
            "do humans|people work",
            "sino <filler>? com|con? <det>? <role>|<anyone>",
            "<anyone>|<role> <can>? atender|atenderme|atenda|atende|atienda",
            "cade|kd|donde|onde|where <copula>? <det>? <det>? <role>",
            "is|are there a|any <real>? human|person|agent|someone",
            "tem|ha|hay|existe|tienen|teria|haveria <det>? <det>? <role> ai|aqui|hoje|agora|\
             disponivel|disponible|online|livre|humano|humana|real|de|que|pra|para|$",
        ],
    },
    Table {
        group: Group::Human,
        rule: "human-wanted",
        phrases: &[
            "<want> <chain>? <chain>? <det>? <det>? <role>",
            "<want> de? <det> <anyone> <real>|$",
            "<want> ser? atendimento|atencion humano|humana|$",
            "<want> <det>? <det>? <staff> $",
            "<want> de? <anyone> <real>",
            "prefiro|prefiero|prefer <det>? <anyone> $",
            "<want> de? <det>? <anyone> pra|para|que|to <chain>? me|nos|help|ajudar|ajude|\
             atender",
            "^ a|um|un human|humano|humana $",
            "<want> <chain>? ajuda|help|ayuda|assistencia|assistance humana|humano|human|from|\
             de|de|to <det>? <role>|<real>|<anyone>",
            "<want> <chain>? <chain>? atend*|atencion humano|humana|pessoal|personalizado|personalizada",
        ],
    },
    Table {
        group: Group::Human,
        rule: "human-role-noun",
        phrases: &[
            "<anyone>|<role> de|do|en|em|of? verdade|carne|real|verdadeira|verdadeiro",
            "atendimento|atencion|suporte|soporte|ajuda|asesor|agente|atendente|operador|agent|\
             support human|humano|humana|humanizado|real|live",
            "live|real|human|actual agent|person|human|representative|operator|assistant|\
             support|being|employee|assistance|help|someone",
            "ser|seres humano|humana|humanos",
            "<anyone> do|da|de|del|from <det>? <role>",
            "<anyone> real|humano|humana|verdadeira",
            "customer service|support|care rep|agent|please|$",
            "^ atencion|servicio al cliente $",
            "contact|call|reach customer service|support|care",
            "<anyone> ..1 customer|atencion",
            "someone|somebody|anyone real",
            "alguien de atencion|soporte|servicio|ventas",
        ],
    },
    Table {
        group: Group::AntiBot,
        rule: "human-anti-bot",
        phrases: &[
            "<not>|<without> ..3 <talk> <filler>? com|c|con|to|with|a <det>? bot|bots|robo*|\
             robot*|chatbot*|assistente|machine|ia|ai|computador|computer|gravacao|maquina|\
             maquinas|automatico|programa",
            "<not> ..2 <want> <det>? <det>? bot|robo|robot|maquina|chatbot|ia|bots|robos",
            "chega|cansei|cansado|cansada|basta|nada|sem de? <filler>? bot|robo|robot|bots|\
             robos|robots|chatbot",
            "em vez|lugar de|desse|do <det>? <bot>",
            "instead of <det>? bot|robot|machine",
            "dont like|want bots|robots|chatbots|bot",
            "<not> <copula>? <det>? bot|robo|robot $",
        ],
    },
];

/// The rule by which the message asks for a person.
pub fn detect(reading: &Reading) -> Option<&'static str> {
    let requested = reading.hits(Group::Human).find(|hit| is_request(reading, hit));
    if let Some(hit) = requested {
        return Some(hit.rule);
    }
    if let Some(hit) = reading.hits(Group::AntiBot).find(|h| stands_for_person(reading, h)) {
        return Some(hit.rule);
    }
    named_alone(reading).then_some("human-role-alone")
}

/// A refusal of machines is a request unless it is only a clause about the bot's nature.
fn stands_for_person(reading: &Reading, hit: &Hit) -> bool {
    let short = hit.end - hit.start <= 3;
    let names_human = reading.any(Class::Role) || reading.any(Class::Anyone);
    !short
        || reading.any(Class::Talk)
        || reading.any(Class::Want)
        || names_human
        || !reading.is(hit.start, Class::Not)
}

/// "Supervisor", "um atendente por favor": a clause that is a role and courtesy.
fn named_alone(reading: &Reading) -> bool {
    let all = reading.senses.len();
    (1..=8).contains(&all)
        && reading.any(Class::Role)
        && !reading.any(Class::Not)
        && (0..all).all(|i| {
            [Class::Role, Class::Courtesy, Class::Det, Class::Anyone]
                .iter()
                .any(|c| reading.is(i, *c))
        })
        && !(0..all).any(|i| {
            matches!(reading.text.word(i), "e" | "es" | "eh" | "eres" | "obrigado" | "gracias")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Option<&'static str> {
        detect(&Reading::of(text))
    }

    #[test]
    fn verbs_of_contact_with_a_person_are_requests() {
        for text in [
            "gostaria de falar com um operador",
            "dá pra conversar com alguém da equipe?",
            "me transfere pro suporte",
            "chama o supervisor",
            "quero ser atendida por uma pessoa",
            "preciso de um representante",
            "não tem alguém real nesse chat?",
            "cadê a atendente?",
            "falar com o dono da loja",
            "atendente, por favor",
            "operador",
            "me comunica con un asesor?",
            "let me talk to a human",
            "get me an agent",
        ] {
            assert!(rule(text).is_some(), "{text}");
        }
    }

    #[test]
    fn one_typo_in_a_long_noun_is_forgiven() {
        for text in ["quero um atendnte", "falar com humnao", "preciso do supervizor"] {
            assert!(rule(text).is_some(), "{text}");
        }
    }

    #[test]
    fn a_refused_machine_is_a_request() {
        for text in ["não quero falar com robô", "chega de bot", "no quiero hablar con una máquina"]
        {
            assert!(rule(text).is_some(), "{text}");
        }
    }

    #[test]
    fn a_denied_ability_is_still_a_request() {
        for text in [
            "não dá pra falar com um atendente?",
            "por que vocês não me passam pra um gerente?",
            "não consigo falar com o suporte",
        ] {
            assert!(rule(text).is_some(), "{text}");
        }
    }

    #[test]
    fn refusals_stories_plans_and_questions_of_identity_pass() {
        for text in [
            "não quero falar com o gerente",
            "nem precisa chamar atendente",
            "dá pra resolver sem falar com atendente?",
            "ontem falei com a atendente",
            "consegui falar com o suporte hoje cedo",
            "vou falar com a gerente na segunda",
            "me lembra de falar com o gerente do banco",
            "você é uma pessoa de verdade?",
            "estou falando com um humano?",
            "quanto ganha um operador de caixa?",
            "quero falar com a Joana",
            "quero falar com você sobre o boleto",
            "uma pessoa deixou o pacote na portaria",
            "ô de casa, alguém em casa?",
            "curso de gerente de projetos",
        ] {
            assert_eq!(rule(text), None, "{text}");
        }
    }
}
