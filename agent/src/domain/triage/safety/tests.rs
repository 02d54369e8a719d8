use super::*;

/// Sixty ways of saying it.
const CRISIS: &[&str] = &[
    "quero me matar",
    "eu não quero mais viver",
    "vou me matar hoje",
    "tenho pensado em suicídio",
    "queria dormir e não acordar mais",
    "não aguento mais viver assim",
    "to pensando em tirar minha vida",
    "vontade de morrer",
    "acho q todo mundo estaria melhor sem mim",
    "quero acabar com a minha vida",
    "perdi a vontade de viver",
    "cansei de viver",
    "queria estar morta",
    "vou tomar todos os comprimidos de uma vez e acabar com isso",
    "me corto escondido quando fico assim",
    "minha filha disse que quer se matar",
    "vou pular da ponte",
    "não vejo sentido na vida",
    "qro morrer",
    "estou com pensamentos suicidas",
    "quero sumir desse mundo",
    "nunca deveria ter nascido",
    "QUERO MORRER",
    "meu irmão tentou se matar ontem",
    "tô com uma vontade enorme de me machucar",
    "pensei em me enforcar",
    "me quiero morir",
    "no quiero vivir más",
    "ya no quiero seguir viviendo",
    "quiero matarme",
    "pienso en quitarme la vida",
    "voy a suicidarme",
    "tengo ganas de morirme",
    "estoy cansada de vivir",
    "quisiera estar muerto",
    "me voy a tomar todas las pastillas",
    "la vida no vale la pena",
    "voy a cortarme las venas",
    "mi hermano se quiere matar",
    "quiero dormir y no despertar nunca",
    "no le encuentro sentido a vivir",
    "estarían mejor sin mí",
    "quiero acabar con mi vida",
    "he pensado en hacerme daño",
    "me dan ganas de tirarme de un puente",
    "i want to kill myself",
    "I don't want to live anymore",
    "i wish i was dead",
    "I'm thinking about suicide",
    "i want to end my life",
    "feeling suicidal tonight",
    "i want to die",
    "everyone would be better off without me",
    "i can't go on anymore",
    "there is no reason to live",
    "i keep cutting myself",
    "i'm going to take all my pills and never wake up",
    "my son says he wants to kill himself",
    "I just want to end it all",
    "i am so tired of living",
];

/// Sixty harmless ones that use the same words.
const HARMLESS: &[&str] = &[
    "morrendo de rir aqui",
    "me matei de estudar pra essa prova",
    "quase morri de susto",
    "vou me matar de trabalhar esse mês",
    "tô morta de cansaço",
    "quero matar a saudade de vocês",
    "esse calor tá me matando",
    "morri com esse vídeo kkkk",
    "quero morrer de tanto comer nesse rodízio",
    "a bateria do celular morreu",
    "vou matar aula amanhã",
    "assisti Esquadrão Suicida ontem",
    "palestra sobre prevenção ao suicídio na sexta",
    "minha planta tá morrendo, o que faço?",
    "não quero morrer de fome, abre que horas?",
    "quero cortar o cabelo",
    "me cortei fazendo a barba",
    "quero acabar com a minha assinatura",
    "vou acabar com tudo na geladeira",
    "preciso dar um fim nessa dívida",
    "quero sumir pra praia nas férias",
    "morro de vergonha de falar em público",
    "que vontade de morder esse bebê",
    "isso é de matar, que preço",
    "não vou me matar por causa de um boleto",
    "matei a charada",
    "minha avó morreu semana passada",
    "quero viver muito",
    "tô cansado dessa vida de aluguel",
    "desisti da academia",
    "me muero de hambre",
    "me muero de la risa",
    "casi me muero del susto",
    "me mato estudiando para el examen",
    "este calor me mata",
    "muero por unos tacos",
    "quiero matar el tiempo",
    "se murió la batería de mi celular",
    "voy a cortarme el pelo",
    "quiero terminar con mi suscripción",
    "me dan ganas de comer pastel",
    "estoy muerto de cansancio",
    "quiero vivir en otra ciudad",
    "no quiero despertar temprano",
    "vi una película sobre el suicidio de un pintor",
    "me tiré a la pileta",
    "estoy cansada del trabajo",
    "no puedo vivir sin café",
    "i'm dying of laughter",
    "this traffic is killing me",
    "my phone died",
    "i'd kill for a pizza",
    "how do I end my subscription?",
    "i cut myself shaving",
    "i was killing time",
    "dead tired today",
    "i'm dying to see that movie",
    "i want to live near the beach",
    "suicide squad was fun",
    "tired of waiting",
];

#[test]
fn sixty_ways_of_saying_it_are_found() {
    assert_eq!(CRISIS.len(), 60);
    let missed: Vec<&&str> =
        CRISIS.iter().filter(|text| SafetyCheck::evaluate(text).is_none()).collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn sixty_figures_of_speech_are_left_alone() {
    assert_eq!(HARMLESS.len(), 60);
    let hit = |text: &&&str| SafetyCheck::evaluate(text).is_some();
    let wrong: Vec<&&str> = HARMLESS.iter().filter(hit).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn laughter_excuses_hyperbole_and_not_an_intention() {
    assert_eq!(SafetyCheck::evaluate("quero morrer kkkkk errei tudo"), None);
    assert!(SafetyCheck::evaluate("vou me matar kkk").is_some());
}

#[test]
fn every_class_named_in_a_phrase_exists() {
    for phrase in [crisis::TABLES, harmless::TABLES].concat().iter().flat_map(|t| t.phrases) {
        for word in phrase.split([' ', '|']).map(|w| w.trim_end_matches('?')) {
            if let Some(name) = word.strip_prefix('<').and_then(|w| w.strip_suffix('>')) {
                assert!(crisis::CLASSES.iter().any(|(class, _)| *class == name), "{name}");
            }
            assert!(word.is_ascii(), "{word} is not folded");
        }
    }
}
