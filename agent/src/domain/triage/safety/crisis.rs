//! Words of people who think of dying, in three languages.
//!
//! Suicide is spoken of directly ("quero me matar"), around the corner ("queria dormir e não
//! acordar mais"), by its means ("vou tomar todos os comprimidos") and by others ("minha filha
//! disse que quer se matar"). A miss costs more than a false alarm, so every frame counts, whoever
//! speaks; what makes a frame a figure of speech is in [`super::harmless`].

use super::{Group, Table};

/// Word classes, folded.
pub const CLASSES: &[(&str, &str)] = &[
    (
        "want",
        "quero qro kero qero qria qeria keria kiero qiero quer queria querem querendo quis vou vo vai vamos iria pretendo penso \
         pensei pensando pensa pensar vontade planejo planejando decidi decidido decidida tentei \
         tentar tentando tento tentou ameaca ameacou ameacando disse diz fala falou falando \
         prefiro preferia preciso desejo posso poderia devia deveria melhor merecia mereco \
         quiero quisiera quiere queria voy va iba pienso pense pensado planeo planeando decidi \
         intente intento intentar ganas deseo deseando ojala prefiero preferiria dijo dice \
         amenaza amenazo merezco mejor want wanna wants wanted gonna going will plan planning \
         think thinking thought thoughts tried try trying wish ready need about feel feeling \
         considering consider said says threatened threatening better rather deserve",
    ),
    ("not", "nao n nn naum num no ni nunca not dont never cant no doesnt wont didnt sem sin"),
    (
        "small",
        "de em a o as os um uma desse deste dessa desta this that these q k em no na eu so ate ja mesmo mais mas mim me me se te logo agora \
         hoje muito tanto pra para por y e ou ya yo to of about just really so i im id my mine a \
         un una el la lo al en con do it being am like literally honestly seriamente serio \
         sempre todo dia realmente apenas",
    ),
    (
        "die",
        "morrer morre morresse morra muera muero muriera muriese moriria morreer morirme morir morirse die dying morrir",
    ),
    ("dead", "morto morta mortos muerto muerta dead morti morrido"),
    ("self", "me mim mi se"),
    ("life", "vida life existencia existence sofrimento sufrimiento suffering dor dolor pain"),
    (
        "kin",
        "filho filha mae pai irmao irma marido esposa namorado namorada amigo amiga primo prima \
         sobrinho sobrinha neto neta avo colega hijo hija madre padre mama papa hermano hermana \
         esposo novio novia nieto abuelo abuela son daughter mother father mom dad brother sister \
         husband wife boyfriend girlfriend friend roommate ele ela el ella he she they",
    ),
    (
        "pills",
        "remedio remedios comprimido comprimidos cartela caixa frasco pilulas pastilla pastillas \
         pill pills tablets meds medication sleeping veneno raticida chumbinho veneno",
    ),
];

/// Frames of the intention to die.
pub const TABLES: &[Table] = &[
    Table {
        group: Group::Crisis,
        rule: "crisis-suicide",
        phrases: &[
            "suicidarme",
            "suicidarse",
            "me|mi|mim|se suicidar|suicida|suicido|suicidou|suicidando",
            "suicidar",
            "<want> ..3 suicidio|suicide|suicidal|suicida",
            "comet* ..1 suicidio|suicide",
            "commit* suicide",
            "pensament*|pensamient*|ideac*|ideia*|ideas|thoughts|tentativa|intento|intencao ..3 \
             suicid*",
            "suicidal",
            "<want>|sinto|siento|estoy|estou|to|ando|im|am ..2 suicida|suicidas",
            "sou|soy suicida",
            "planejando|planeando|planning|considering|considerando|contemplat*|contemplando ..2 suicid*",
        ],
    },
    Table {
        group: Group::Crisis,
        rule: "crisis-kill-self",
        phrases: &[
            "me|mim|mi matar",
            "<want> <small>? <self> mata|matar|mato",
            "<kin> ..5 se mata|matar|suicidar",
            "se matar",
            "eu|yo|que|ou|o|ya|logo|y|e me mato",
            "^ me mato",
            "me mato $",
            "matarme",
            "quitarme|quitarse|kitarme la? vida",
            "quitar|quito|quitando me? la vida",
            "me <want> <small>? matar|suicidar|quitar",
            "se <want> <small>? matar|suicidar",
            "me quiero|quisiera|voy <small>? morir|ahorcar|colgar|tirar <small>? <small>? $",
            "kill|killing|kil myself|himself|herself|themselves|themself",
            "kill|killing my self",
            "kms",
            "unalive|unaliving ..1 myself|me",
            "tirar|tirando|tirei|tira|tirasse <small>? <small>? minha propria? vida",
            "tirar a propria vida",
            "tirou a propria vida",
            "<want> ..2 tirar a vida",
            "acabar|acabo|acabando|terminar|acabasse com|con <small>? minha|mi|a|la|meu|o|el \
             propria|propio? <life>",
            "dar|por|dando|ponho|poner|dou|ponerle|darle <small>? fim|fin ..2 minha|mi|meu|nesta|\
             nessa|a|esta|la|tudo|todo <life>|$",
            "<want> ..3 acabar|terminar com|con tudo|todo $",
            "end|ending my own? life|suffering|pain",
            "end|ending it all",
            "want|wanna|going|gonna|ready|ill <small>? end it now|tonight|today|here|$",
            "quero|queria|quiero|quisiera que <small>? todo|tudo|isso|esto <small>? acabe|termine|\
             acabasse|terminara",
            "take|taking my own? life",
            "take|taking ..1 own life",
            "taking|take his|her|their own life",
        ],
    },
    Table {
        group: Group::Crisis,
        rule: "crisis-not-live",
        phrases: &[
            "<not> <want> <small>? mais|mas|seguir|continuar|more|ya|estar|anymore|to ..2 viver|\
             vivir|vivendo|viviendo|existir|existindo|live|living|exist|vivo|viva|aqui|alive",
            "<not> <want> <small>? viver|vivir|existir|live|exist $",
            "<not> <want> ..2 to? live|exist|be|wake alive|anymore|up|here|any|another|$",
            "<not> <want> viver|vivir|existir mais|mas|asi|assim|nesse|neste|en",
            "<not> want to be alive|here|around anymore|$",
            "ya no quiero|deseo ..2 vivir|estar|seguir|existir|despertar <small>? $",
            "<not> quiero <small>? estar en este mundo",
            "<not> quero <small>? estar nesse|neste mundo",
            "nao|n|no aguento|aguanto|suporto|soporto|consigo|puedo mais|mas viver|vivir|seguir|\
             esta|essa|minha|mi|la|con|com|vivendo|viviendo ..1 vida|viver|vivir|vivendo|viviendo|$",
            "cant|cannot live|continue|go on|living|anymore|like",
            "can not go|live on|anymore|like",
            "cant take|do this|it|life anymore",
            "<not> aguanto|aguento|suporto|soporto mais|mas? a|la|minha|mi|esta|essa|this vida",
            "deixar|parar|dejar|stop de? existir|existing|viver|vivir",
            "no longer|<want> want to? live|exist",
            "cant keep living|going|on",
            "nothing|nada|nadie|noone ..2 live|vivir|viver for|$",
            "por|for que|what vivir|viver",
            "morte|muerte|death ..2 unica|only|melhor|mejor|alivio|solucao|solucion|relief ..1",
            "unica|only saida|salida|way|opcao|opcion|solucao|solucion ..4 morte|muerte|morrer|morir|\
             die|death|<die>",
            "sou|soy|im|sinto|siento|am|feel ..3 peso|carga|fardo|burden ..3 todos|everyone|familia|\
             todo|all|everybody|mundo|others|outros|otros",
            "no point|reason|sense|motivo|sentido ..2 live|living|life|alive|viver|vivir|vida",
            "<not> ..3 motivo|motivos|razao|razon|razones|sentido|razoes|reason|point ..2 viver|\
             vivir|vida|seguir|continuar|live|living|existir",
            "perdi|perdio|perdeu ..2 vontade|ganas|sentido de? viver|vivir|vida",
            "<not>|zero|nenhuma|cero ..2 vontade|ganas de viver|vivir",
            "<not> tenho|tengo mais? vontade|ganas ..1 de viver|vivir",
            "cansei|cansad*|tired|sick|hart*|farto|farta de|da|of <small>? viver|vivir|living|\
             existir|vida|life|being alive?",
            "desisti*|desisto|rendi|giving|give|gave ..1 de|da|up|of|on ..1 vida|viver|vivir|life|\
             living",
            "vida|life|vivir|viver|living ..1 <not> ..1 vale|tem|tiene|worth|faz ..2",
            "<not> vale mais? a|la pena viver|vivir|seguir",
            "life isnt|not|is worth|meaningless|pointless ..2",
            "sair|partir|irme|ir|sumir|desaparecer desse|deste|de|do|dessa|da|embora <small>? mundo|vida|face|\
             este",
            "<want> ..1 desaparecer|sumir para|pra siempre|sempre",
            "disappear|dissapear forever",
        ],
    },
    Table {
        group: Group::Crisis,
        rule: "crisis-wish-dead",
        phrases: &[
            "<want> <small>? <small>? estar|esta|estivesse|estuviera|be|was|were|am|wake <dead>",
            "wish i was|were|wasnt|werent dead|alive|born|here|never",
            "wish i had|could never|just been|die|not born|exist|vanish ..1",
            "better|mejor|melhor ..2 <dead>",
            "melhor|mejor|better|bom|bueno ..3 morresse|muriera|muriese|died",
            "estaria|estariam|estarian|estar|seria|seriam ..3 melhor|mejor sem|sin mim|mi|eu",
            "better off without me",
            "<not>|ninguem|nadie|nobody ..3 falta|extranar*|miss|notice|importar*|llorar* ..3 morr*|muri*|muero|muera|\
             morir|gone|died|die|dead|embora",
            "ninguem|nadie|nobody <small>? sentir*|iba|me|would|vai ..1 minha|mi|miss|falta|\
             extranar*",
            "nunca ..1 ter|haber|deveria|debi|tivesse nascido|nacido|nacer",
            "<want> ..1 <not> ter|haber|existir|tivesse|hubiera|acordar|acordasse|despertar|despertara|despertase ..1 nascido|\
             nacido|mais|mas|manana|amanha|$",
            "<want> <small>? <small>? dormir|sleep <small>? <small>? sempre|siempre|forever",
            "dormir|sleep <small>? sempre|siempre|forever",
            "dorm* ..3 <not> ..2 acord*|despert*|wake",
            "sleep|asleep ..2 <not>|never wake|waking",
            "<not> <want> ..1 acordar|despertar|wake mais|mas|nunca|up|amanha|manana|$",
            "wish ..2 not|never wake|woken up",
            "vontade|ganas|desejo|deseo de|d <small>? <die>|morrer",
            "fantasi* ..3 <die>|suicid*",
            "penso|pienso|pensando|pensar|pensei|pensado|think|thinking ..1 en|em|na|about|of|sobre \
             a|la|my|minha|mi? <die>|morte|muerte|death|suicid*",
        ],
    },
    Table {
        group: Group::Hint,
        rule: "crisis-want-to-die",
        phrases: &[
            "quero|qro|kero|qria|keria|qiero|kiero|queria|querendo|quiero|quisiera|want|wanna|wanting <small>? <small>? \
             <die> <small>? <small>? $",
            "quero|qro|kero|qria|keria|qiero|kiero|queria|querendo|quiero|quisiera <small>? <small>? <die>",
            "want|wanna|wanting|wants|ready to? <die>",
            "id|rather|prefiro|prefiero|preferia|preferiria|melhor <small>? <die>",
            "vou|voy|gonna|pensando|pienso|penso|planejo <small>? <die> hoje|hoy|today|$",
            "deveria|devia|deberia|should|merezco|mereco|merecia|deserve <small>? <die>",
            "me <want> <die>",
            "vou|voy|penso|pienso|pensando|medo|miedo|vontade|ganas ..2 fazer|hacer ..1 besteira|locura|\
             loucura|tonteria ..1 comigo|conmigo|mesmo|mesma|misma|mismo|$",
            "me deixem|deixa|let|dejenme|dejame|deixem ..1 <die>",
            "<kin> ..4 quer|quiere|wants <small>? <die>",
        ],
    },
    Table {
        group: Group::Crisis,
        rule: "crisis-self-harm",
        phrases: &[
            "self harm*",
            "selfharm*",
            "autoles*",
            "automutil*",
            "auto mutil*",
            "autolastim*",
            "<want>|voltei|comecei|parar|volvi|started|starting|keep|stop|urge|fico|sigo|ando \
             ..3 <self> machucar|cortar|ferir|cortando|machucando|ferindo|queimar",
            "machucar|ferir|lastimar a mim mesm*",
            "<want>|volvi|empece|parar|dejar|ando <small>? <small>? lastimarme|cortarme|herirme|\
             hacerme|danarme|cortandome|lastimandome dano|$|las|los|con|otra|todo|para",
            "hacerme dano",
            "me lastimo|corto ..1 proposito|mim|misma|mismo|sozinh*|adrede|para|pra|alivi*",
            "me corto|corte|cortei escondid*|toda|todos|sempre|siempre|adrede",
            "me corto|corte|cortei de|a proposito",
            "me cortei|corte|corto de|otra|outra novo|nuevo|vez",
            "corte|cortei|corto|abri ..2 venas|pulsos|pulso",
            "me? atirar|envenenar|envenenarme|intoxicarme ..2 ponte|puente|mim|$",
            "me envenenar|asfixiar|afogar",
            "envenenarme|asfixiarme|ahogarme",
            "me corto|cortei|corte para|pra sentir|aliviar|parar|calmar|esquecer|olvidar",
            "hurt|hurting|harm|harming|cut|cutting|cuts|burn|burning myself|herself|himself",
            "fazer mal a|pra mim mesm*",
            "cortar|cortarme|corto|slit|cut|abrir|cortei ..2 pulso|pulsos|venas|wrist|wrists|\
             munecas",
            "estou|to|ando|fico|estoy|vivo|im|voltei me|a me? cortando|cortar|machucando|queimando|arranhando",
            "se cortando|corta ..3 braco|bracos|brazo|brazos|pierna|piernas|perna|pernas|pulso|escondid*|lamina",
            "enforcar|ahorcarme|ahorcar|colgarme|enforco|ahorco",
            "hang|hanging myself",
            "shoot|drown|drowning|poison|poisoning myself",
            "dar|dou|pegarme|meter|darme ..1 um|un tiro ..3 cabeca|cabeza|mim|boca|$",
            "jogar|jogo|jogasse|pular|pulo|saltar|tirarme|tirar|lanzarme|aventarme|aventar|jump|\
             jumping|throw ..3 ponte|puente|predio|edificio|janela|ventana|balcon|balcao|viaduto|\
             trem|tren|metro|bridge|roof|building|train|off|sacada|penhasco|azotea|passarela",
            "<self> jogar ..2 carro|carros|onibus|frente|caminhao",
            "overdose|sobredosis ..3 proposito|purpose|adrede|propositada|intencional",
            "<want>|voy|going <small>? <small>? overdose|od",
            "overdose|overdosed|overdosing on my|all|pills|meds|medication|purpose",
        ],
    },
    Table {
        group: Group::Crisis,
        rule: "crisis-means",
        phrases: &[
            "tomar|tomo|tomei|engolir|engoli|tomarme|tome|tragar|tragarme|take|took|taking|\
             swallow|swallowed|ingeri ..1 todos|todas|tudo|toda|todo|all|whole|entire|bottle \
             ..4 <pills> ..8 dormir|morrer|morir|acabar|despertar|acordar|fim|fin|die|never|end|\
             vez|juntos|juntas|once",
            "<want> <small>? <small>? tomar|engolir|tomarme|take|swallow ..1 todos|todas|all|\
             entire|toda|whole ..4 <pills>",
            "tomei|tome|engoli|swallowed|took|trague ..1 todos|todas|all|toda|whole|entire|muitos|\
             uma|bottle ..3 cartela|pastillas|comprimidos|remedios|pills|frasco|caixa ..3 vez|\
             morrer|proposito|morir|die|inteira|inteiro|ayuda|ajuda|help|tinha|tenia|had",
            "tomei|tome|engoli|swallowed|took|trague ..1 whole|entire|cartela|frasco|caixa|caja|bottle \
             ..1 <pills>|bottle|inteira|inteiro|entera|entero|of ..3",
            "tomei|engoli|ingeri|took|swallowed|tome um|un|a|the monte|punhado|monton|punado|bunch|handful|\
             lot|frasco|ton de|of ..2 <pills>",
            "tomei|engoli|took|swallowed too|demais many|<pills> <pills>? ..1",
            "tomei|bebi|tomar|beber|tome|drank|drink|engolir|tomarme veneno|raticida|chumbinho|\
             bleach|cloro|agua sanitaria?",
            "carta|nota|note|mensagem de|of despedida|suicid*|adeus|goodbye|adios",
            "despedida ..3 final|ultima|ultimo|mundo|vida|todos",
            "ultima mensagem ..3 vida|mando|mundo",
            "goodbye cruel|forever|world",
            "adeus mundo",
            "adios mundo",
        ],
    },
];
