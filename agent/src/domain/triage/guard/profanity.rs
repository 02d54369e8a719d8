//! Swearing.
//!
//! Three strengths, because Brazilians swear out of joy as easily as out of anger. What is thrown
//! at the listener ("vai tomar no cu") is never excused. An exclamation ("porra!") is, by joy in
//! the same message ("porra, que gol lindo"). A swear word that only means "very" ("pra caralho",
//! "do caralho") says nothing unless the message complains.

use super::cheer;
use super::group::{Group, Table};
use super::reading::Reading;
use super::words::Class;

/// Swear phrases by strength.
pub const TABLES: &[Table] = &[
    Table {
        group: Group::Aimed,
        rule: "profanity-aimed",
        phrases: &[
            // "tomar" loses its r in speech and the whole is abbreviated to its initials
            "toma|tomar|tomarem|tomara no|nu <intens>|seu|teu|meio? do|teu|seu? cu|cool|olho|\
             rabo|bunda",
            "tnc",
            "tmnc",
            "vtnc",
            "vtmnc",
            "vtc",
            "vtncc",
            "tomanocu",
            "pnc",
            "vai|va|vao|vaum|vam|ir|mandar|mando|mandei|ide|se <you>? te|se|ce? foder|fude|\
             fuder|fude|ferrar|lascar|danar|catar",
            "se fode|foda|fodam|fuder|foder|ferra",
            "vai|va|vao|ir <filler>? pro|para|ao|p|a <filler>? inferno|merda|diabo|caralho|krl|\
             porra|bosta|carai|pqp|caraio",
            "vai|va|vao p|pa|pra <filler>? porra|merda|bosta|pqp|puta|cacete|casa",
            "mandar|mandando|mandei|mando|vai|va|vao ..3 puta que pariu|pario|paril",
            "cala|cale|calem essa|a|sua? boca|matraca",
            "filho|filha|filhos|filhas|fi|fia|fidumaegua da|de|duma|das|dum? puta|putas|egua|\
             quenga|rapariga",
            "fdp|fdps|fdputa|filhadaputa|filhodaputa|fdpt",
            "sua|seu|seus|suas|tua|teu ..1 puta|puto|merda|bosta|porra|corno|nojento|\
             imprestavel|merdas",
            "sua|seu|seus|suas|tua|teu <insult> $",
            "enfia|enfiem|enfie ..4 cu|rabo|bunda",
            "cu de|da|do bot|robo|sistema|atendimento",
            "morra|morre <you>|praga|desgraca|bot|robo|lixo",
            "vete|vayanse|andate|vayase ..1 al|a ..1 mierda|infierno|diablo|carajo|verga|joder|\
             chingada|cono",
            "callate|callese|callense",
            "concha de|e tu|su|la",
            "conchetumare|conchatumadre|ctm|csm",
            "chinga|chingue|chinguen|chingas ..2",
            "hijo|hija|hijos de? puta|perra|puto|putas|mil|la",
            "hijueputa*",
            "hdp",
            "hijoputa",
            "me cago en",
            "pinche|pinches|pinchi <bot>|<service>|<insult>",
            "maldito|maldita|malditos|malditas|maldicion <bot>|<service>|<insult>|seas|sea|seja|\
             sejam",
            "vai|va|vao se tratar",
            "some|suma|sumam|vaza daqui",
            "te|os|les? odio|odeio|detesto|odiamos $",
            "fuck you|u|off|this|it|yourself|ya",
            "fucking <bot>|<service>|<insult>|hell",
            "stfu",
            "shut up",
            "screw you|this|u",
            "go|goto to? hell",
            "piss off",
            "kiss my ass",
            "fu $",
            "son of a|the? bitch",
            "<you> suck|sucks|bitch|ass",
            "<bot>|<it>|<service> sucks",
        ],
    },
    Table {
        group: Group::Swear,
        rule: "profanity",
        phrases: &[
            "<curse>",
            "pqp*",
            "vsf*",
            "caralh*",
            "krl*",
            "puta que|q|k ..1 pariu|pario|pareo|paril",
            "puta merda|vida",
            "putaquepariu",
            "putamerda",
            "puta sacanagem|falta",
            "foda|fodasse|fodase|fodace se?",
            "fodase*",
            "fodeu|fudeu|fodendo|fudendo",
            "fodid*|fudid*|fude|fuder|foder|fode|fodem",
            "<service>|<bot> do|da caralho|krl|cacete|carai|porra",
            "desgraca|desgracas|disgraca",
            "desgracad*|disgracad*",
            "arrombad*|arrombo",
            "cuzao|cuzoes|cuzona",
            "otari*",
            "imbecil|imbecis|imbeciles",
            "babaca|babacas",
            "cretin*",
            "canalha|canalhas",
            "escrot*",
            "retardad*|lazarent*",
            "buceta|boceta",
            "um|o|meu|tremendo cu",
            "tomar ..1 cu",
            "no cu",
            "inferno $",
            "que|q|k merda|bosta|cacete|desgraca",
            "diabo|diacho de|do|da <bot>|<service>|<filler>",
            "to|tou|estou|fico|fiquei|ficando|ficar|esta|ta|deixa|deixando|deixou ..2 puto|puta|\
             putasso|pistola|putissimo|possesso",
            "puto|puta|putasso com|da <service>|cara|vida|voces|vcs|esse|essa|isso",
            "^ puta|puto $",
            "de? saco cheio",
            "enche|encher|enchendo|encheu|torra|torrando ..2 saco|paciencia",
            "ta|esta|e de? foda <filler>? <service>|<bot>",
            "nessa|dessa|essa|desse|nesse|esse|esta|ese|esa porra|porcaria|droga|bagaca|merda|bosta|caralho|krl|\
             desgraca|inferno|lixo|carnica",
            "droga de|do|da <bot>|<service>|<it>",
            "^ droga $",
            "mas que droga|inferno",
            "carajo*",
            "mierda*",
            "la puta|verga|chingada madre?",
            "puta madre",
            "joder",
            "no mames|jodas|jodan",
            "no me|nos jodas|jodan|jodes",
            "que carajo|verga|mierda|chingados|chingada",
            "gonorrea*",
            "malparid*",
            "culer*",
            "pelotud*",
            "cabron*",
            "pendej*",
            "imbecil*",
            "idiotas $",
            "vale verga|madre",
            "me lleva la",
            "fuck*",
            "shit|shitty|shite",
            "bullshit|bs",
            "wtf|wth",
            "what the fuck|hell|heck",
            "dammit|goddamn|damnit",
            "damn <bot>|<service>|<it>|you",
            "asshole*",
            "bastard*",
            "dumbass*",
            "bitch*",
            "piece|load of shit|crap|garbage|junk",
        ],
    },
    Table {
        group: Group::MildSwear,
        rule: "profanity-mild",
        phrases: &[
            "que|q|k inferno|diabo|diabos|droga|saco|raiva|odio|porre",
            "que cojones|rabia|bronca|asco|fastidio",
            "damn",
        ],
    },
    Table {
        group: Group::Booster,
        rule: "profanity-booster",
        phrases: &[
            "pra|para|p|pa|bom|boa|bagarai caralho|caralh*|krl|krlh|crl|caraio|carai|karalho|\
             karai|krai|cacete|porra|burro|crlh",
            "do|da|du caralho|caralh*|krl|crl|caraio|carai|cacete|porra $",
            "do|du caralho|krl|caraio|carai|crl",
        ],
    },
    Table {
        group: Group::Harmless,
        rule: "harmless-swear",
        phrases: &[
            // places, foods and things that merely sound like it
            "bosta de|do|da vaca|boi|cavalo|galinha",
            "inferno astral|verde",
            "cu de burro|ferro",
            "cachorro|cachorra|gato|gata|bebe|cavalo|vaca|passarinho|perro|dog|cat ..3 bosta|merda|shit|\
             mierda|coco",
            "<filler>? merda|bosta|porra|inferno|mierda|shit de|do|da|of <calm>",
            "desgraca alheia",
            "em desgraca",
            "caralho da cruz",
            "saco de|do|plastico|papel",
            "droga de|da <calm>",
            "porra nenhuma de <calm>",
        ],
    },
];

/// The rule by which the message swears in anger.
pub fn detect(reading: &Reading) -> Option<&'static str> {
    let harmful = |start: usize| !reading.harmless(start);
    if let Some(hit) = reading.hits(Group::Aimed).find(|h| harmful(h.start)) {
        return Some(hit.rule);
    }
    if reading.text.emoji.iter().any(|e| matches!(e, '🖕' | '🤬')) {
        return Some("angry-emoji");
    }
    if cheer::is_cheerful(reading) {
        return None;
    }
    let mild = reading.hits(Group::MildSwear).find(|hit| harmful(hit.start));
    if let Some(hit) = mild
        && !is_own_business(reading)
    {
        return Some(hit.rule);
    }
    let complains = reading.any(Class::Negative);
    let boosted: Vec<_> = reading.hits(Group::Booster).map(|h| h.start..h.end).collect();
    let mut booster = boosted.iter().peekable();
    for hit in reading.hits(Group::Swear).filter(|h| harmful(h.start)) {
        while booster.peek().is_some_and(|b| b.end <= hit.start) {
            booster.next();
        }
        let intensifies = booster.peek().is_some_and(|b| b.contains(&hit.start));
        let own_fault = reading
            .before(hit.start, 3)
            .any(|i| matches!(reading.text.word(i), "sou" | "fui" | "eu" | "soy" | "am" | "im"))
            && reading.is(hit.start, Class::Insult);
        if (complains || !intensifies) && !own_fault {
            return Some(hit.rule);
        }
    }
    None
}

/// Whether the message is about the weather, the day or a slip of one's own, and about nobody who
/// could have done better.
fn is_own_business(reading: &Reading) -> bool {
    // "no" is Spanish for not and Portuguese for "in the"
    let denied = (0..reading.senses.len())
        .any(|i| reading.is(i, Class::Not) && reading.text.word(i) != "no");
    let blamed = [Class::Bot, Class::You, Class::Service];
    let slip = |word: &str| {
        matches!(word, "perdi" | "esqueci" | "errei" | "quebrei" | "derrubei" | "cai" | "olvide")
    };
    let own = reading.any(Class::Calm) || reading.text.words().any(slip);
    own && !denied && !blamed.iter().any(|class| reading.any(*class))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> Option<&'static str> {
        detect(&Reading::of(text))
    }

    #[test]
    fn swearing_in_anger_is_found_in_all_its_spellings() {
        for text in [
            "porraaaa, cadê meu boleto",
            "que p0rra de resposta",
            "m*rda de fila",
            "f.d.p",
            "m e r d a",
            "tmnc",
            "krl, ninguém me atende",
            "puta q pariu, de novo",
            "tô puto com isso",
            "vai pro inferno",
            "que saco, travou outra vez",
            "no mames, otra vez",
            "what the hell is this",
        ] {
            assert!(rule(text).is_some(), "{text}");
        }
    }

    #[test]
    fn joy_excuses_exclamations_but_never_insults() {
        for text in [
            "porra, que presente lindo",
            "caralho, passei na prova",
            "pqp kkkkk",
            "ficou do caralho",
            "esse bolo é bom pra caralho",
        ] {
            assert_eq!(rule(text), None, "{text}");
        }
        assert!(rule("vai tomar no cu kkkk").is_some());
    }

    #[test]
    fn a_swear_word_for_very_counts_only_in_a_complaint() {
        assert_eq!(rule("hoje tá frio pra caralho"), None);
        assert!(rule("vocês demoram pra caralho").is_some());
    }

    #[test]
    fn words_that_merely_look_alike_pass() {
        for text in [
            "moro no Alto da Merdeira",
            "cupom de desconto",
            "comprei um saco de cimento",
            "fui um otário, esqueci a senha",
            "código P0R4A",
            "adubo é bosta de vaca",
        ] {
            assert_eq!(rule(text), None, "{text}");
        }
    }
}
