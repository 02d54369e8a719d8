//! Word classes of the guard, folded, in Brazilian Portuguese, Latin American Spanish and English.
//!
//! A class names the part a word plays in a frame ("this <bot> is a <trash>"), so that the tables
//! of phrases stay short. `word*` stands for every word with that beginning.

use crate::domain::triage::phrase::WordClass;

/// The part a word plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The machine that answers.
    Bot,
    /// The listener.
    You,
    /// "isso", standing for what just happened.
    It,
    /// What a company provides.
    Service,
    /// Forms of "to be" and its kin.
    Copula,
    /// Words that only strengthen.
    Intens,
    /// Words without content: articles, prepositions, vocatives, particles.
    Filler,
    /// Judgements strong enough alone.
    Eval,
    /// Judgements that need a frame and no question mark.
    Weak,
    /// Nouns for worthless things.
    Trash,
    /// Names called at somebody.
    Insult,
    /// Swear words.
    Curse,
    /// Joy, praise, thanks.
    Positive,
    /// Signs of a complaint, which joy does not excuse.
    Negative,
    /// Negation.
    Not,
    /// "sem": a negation that governs infinitives.
    Without,
    /// The speaker as subject.
    Me,
    /// Subjects nobody blames on the company: weather, leisure, health, other people.
    Calm,
    /// Greetings and thanks.
    Greeting,
    /// "por favor", "agora": what surrounds a one-word request.
    Courtesy,
    /// People whose job is to answer customers.
    Role,
    /// People of the house asked for by function, too general to stand alone.
    Staff,
    /// Anybody human.
    Anyone,
    /// "de verdade", "real", "humano" after a noun.
    Real,
    /// Articles and the like between verb and role.
    Det,
    /// Speaking with.
    Talk,
    /// Handing over to.
    Transfer,
    /// Calling, reaching.
    Summon,
    /// Being served by.
    Attend,
    /// Wanting, needing.
    Want,
    /// Being able, being possible.
    Can,
    /// Words that may stand between a verb and what governs it.
    Chain,
    /// Governors that turn a request into a story, a plan or a reminder.
    Story,
    /// Past ability and other facts.
    Done,
}

impl Class {
    /// The bit of this class in a word's sense.
    pub fn bit(self) -> u64 {
        1 << self as u32
    }
}

/// Every class under the name by which phrases call it.
pub fn classes() -> Vec<WordClass> {
    let class = |(class, words): &(Class, &'static str)| WordClass {
        name: format!("{class:?}").to_ascii_lowercase(),
        bit: class.bit(),
        words,
    };
    CLASSES.iter().map(class).collect()
}

/// Every class with its words.
pub const CLASSES: &[(Class, &str)] = &[
    (
        Class::Bot,
        "bot bots robo robos robot robots robozinho robozinhos robotzinho chatbot chatbots \
         maquina maquinas assistente atendente chatgpt inteligencia machine",
    ),
    (
        Class::You,
        "voce voces vc vcs ce ces oce tu vosmece ocs usted ustedes vos ustd u you youre ur ti",
    ),
    (Class::It, "isso isto aquilo disso nisso esto eso this that thats these"),
    (
        Class::Service,
        "app apps aplicativo aplicativos aplicacao site sites sistema sistemas plataforma \
         atendimento atendimentos servico servicos suporte sac empresa empresas loja lojas \
         banco operadora internet net wifi conexao sinal entrega entregas assistencia \
         resposta respostas chat whats zap tratamento posvenda concessionaria marca \
         fabricante montadora central cobranca ferramenta companhia porcaria qualidade \
         produto produtos organizacao postura atitude conduta situacao demora servicio \
         servicios aplicacion pagina tienda atencion soporte respuesta respuestas website web \
         system company support service services response responses answer answers experience \
         experiencia",
    ),
    (
        Class::Copula,
        "e eh he esta ta tah tao estao sao foi foram era ser fica ficou virou continua parece \
         parecem es eres sos son estan fue fueron is are r was were youre thats its",
    ),
    (
        Class::Intens,
        "muito mt mto mta mtt muita muitos muitas tao bem super mega demais bastante mesmo \
         mesma totalmente completamente realmente simplesmente extremamente absolutamente \
         mais todo toda total totais pura puro tipo meio verdadeiro verdadeira maior grande \
         baita puta completo completa real muy tan demasiado re really very so such too \
         pretty totally fucking absolutely complete freaking just verdadera uma um uns umas \
         un una unos a an cada profundo profunda extrema extremo imenso imensa enorme",
    ),
    (
        Class::Filler,
        "a o as os um uma uns umas de do da dos das em no na nos nas que q e com pra pro para \
         por se me te lhe ai la ja hein hem ne viu mano cara veio vei velho gente meu deus \
         senhor po nossa credo misericordia aff affs af puts sempre hoje hj ontem agora tudo \
         isso esse essa esses essas este esta desse dessa deste desta nesse nessa so ainda \
         seu seus sua suas ah oh eita ave maria ent entao uai oxe hey oi ola eu acho kkk \
         rapaz moco moca amigo amiga filho tb tambem mds pelo amor mundo ou nem mas sr sra \
         hum como limites cliente sem consumidor comigo conosco el los las lo le un una unos \
         del y ese esa esos estas aqui tus sus su your the an of and man dude bro god my omg \
         here it all ever pois bicho",
    ),
    (
        Class::Eval,
        "horrivel horriveis horroros* pessim* terrivel terriveis ridicul* patetic* nojent* \
         vergonhos* inutil inuteis imprestave* imprestavel lamentavel lamentaveis deplorave* \
         deploravel lixoso desastros* absurd* inadmissive* inaceitave* inaceptable \
         inadmisible intoleravel pesimo pesima horrible horribles terrible terribles awful \
         horrendous useless pathetic ridiculous worthless disgusting asqueros* incompetente* \
         incompetent incompetentes odios* decepcionante decepcionantes revoltante frustrante \
         frustrating disappointing",
    ),
    (
        Class::Weak,
        "ruim ruins porco porca tosco tosca precario precaria chato chata chatos chatas fraco fraca lerdo lerda lento lenta malo mala \
         malos malas feo fea feio feia bad slow annoying boring pior peor worst zoado zoada \
         bugado bugada complicado confuso confusa fraquissimo ruinzinho",
    ),
    (
        Class::Trash,
        "lixo lixao lixos merda merdas bosta bostas porcaria porcarias desastre piada \
         palhacada palhacadas vergonha droga decepcao descaso desrespeito fracasso fiasco \
         inferno nojo esterco horror fraude enganacao enrolacao basura mierda porqueria asco \
         verguenza garbage trash crap shit joke disgrace rubbish bullshit",
    ),
    (
        Class::Insult,
        "burro burra burros burras burrao burrona burrinha burrice animal jumento jumenta \
         anta besta idiota idiotas imbecil imbecis imbeciles otari* babaca babacas cretin* \
         canalha canalhas palhaco palhaca palhacos estupid* tont* bobo boba bobos retardad* \
         tapad* incompetente* vagabund* lerd* lazarent* desgracad* maldit* arrombad* escrot* \
         cuzao corno corna cornos ladrao ladroes ladron ladrones golpista golpistas mentiros* \
         pendej* cabron cabrones culero* pelotud* boludo boluda baboso babosa gonorrea \
         malparid* torpe tarado tarada hijueputa idiot idiots stupid dumb moron morons \
         asshole dumbass bastard bastards jerk loser imprestavel inutil inuteis inutiles lixo \
         lixos nojent* chato chata trouxa trouxas safad* pilantr* picareta* bandid* \
         estelionatari* caloteir* despreparad* desorganizad* irresponsave* irresponsavel enrolad* enrolao \
         enrolona maleducad* grosseir* rater* trampos* estafador* sinverguenza* chorro* chantas \
         scammer* crooks thieves liars thief liar rude clueless",
    ),
    (
        Class::Curse,
        "porra porras poha pohha carai caraio karai krai karalho caralh* krl krlh krlho crl \
         crlh merda bosta cacete pqp vsf vsfd carajo mierda verga fuck shit",
    ),
    (
        Class::Positive,
        "bom boa bons boas otim* lind* perfeit* maravilh* melhor melhores amo amei amamos \
         ador* feliz felizes top incrivel incriveis sensacional excelente excelentes gostei \
         gostos* delicia fof* parabens passei ganh* venc* consegui conseguimos finalmente \
         obrigad* valeu orgulho orgulhos* brabo braba genio genial massa divert* engracad* \
         ansios* sonho certo vitoria golaco gata gato gostoso campeao bonit* bueno buena \
         encanta great awesome love best amazing happy good nice beautiful namaste arrasou \
         arrasa sucesso felicidade brabissimo rir rindo ri show saudade saudades",
    ),
    (
        Class::Negative,
        "ruim ruins pior piores raiva odeio odiando demora demoram demorou demorando demorado \
         lento lenta lentona caiu cai horrivel pessim* cansad* estressad* irritad* lixo chato \
         burro burra idiota ridicul* trav* absurd* problema erro errado errada bugado \
         vergonha inutil nojo triste chateado decepc*",
    ),
    (
        Class::Not,
        "nao n nn nunca nem nada nenhum nenhuma jamais ninguem no ni not dont doesnt isnt \
         never cant wont didnt naum num tampouco",
    ),
    (Class::Without, "sem sin without"),
    (
        Class::Me,
        "eu sou estou to tou fui me sinto senti i im am soy estoy yo fiquei ando my meu minha",
    ),
    (
        Class::Calm,
        "chuva chuvas tempo clima calor frio transito filme filmes serie series jogo jogos \
         time musica novela livro comida pizza dia noite semana mes ano vida sono dor dores \
         gripe cheiro gosto noticia noticias nota notas prova humor cabelo foto fotos piada \
         vizinho vizinha hot jefe boss chefe marido esposa namorado namorada ex irmao irma mae pai sogra \
         primo prima amigo amiga politico presidente governo viagem festa cachorro gato \
         pesadelo sonho escola professor professora weather movie lluvia pelicula dormi \
         acordei letra cor sabor onibus trem metro aula aulas lunes segunda calculo",
    ),
    (
        Class::Greeting,
        "oi oie ola opa bom boa dia tarde noite obrigad* brigad* valeu vlw parabens feliz \
         natal aniversario abraco abracos beijo beijos tchau gracias hola thanks thank thx hi \
         hello buenos buenas dias tardes noches amem amei adorei otim* perfeit* \
         maravilh* blz beleza legal show top certo combinado ok okay sim oba eba uhul gol \
         viva sucesso saudade saudades kkk",
    ),
    (
        Class::Courtesy,
        "por favor favorzinho pf pfv pfvr pls plis please porfa porfavor agora ja urgente \
         aqui ai oi ola opa bom boa dia tarde noite hola hi hello ahora now then ne hein \
         mesmo real verdade verdadeiro humano humana vivo live de do da del com con of with \
         for obrigado obrigada gracias quiero eh e logo so somente apenas mas kkk",
    ),
    (
        Class::Role,
        "atendent* atendende humano humana humanos humanas atendimento operador operadora \
         operadores representante representantes consultor consultora consultores supervisor \
         supervisora gerente gerentes gerencia gerenta suporte sac ouvidoria asesor asesora \
         asesores soporte representant* ejecutivo ejecutiva empleado empleada agente agentes \
         funcionario funcionaria funcionarios human humans agent agents manager \
         representative representatives operator employee rep staff colaborador",
    ),
    (
        Class::Staff,
        "responsavel responsaveis dono dona donos donas vendedor vendedora vendedores chefe \
         chefia diretor diretora coordenador coordenadora tecnico tecnica equipe time \
         recepcao recepcionista secretaria moca moco especialista administrador adm central \
         departamento setor financeiro comercial proprietario proprietaria equipo dueno duena \
         encargado encargada jefe jefa director owner boss team support department assistant \
         specialist advisor executive encargados",
    ),
    (
        Class::Anyone,
        "pessoa pessoas alguem gente persona personas alguien person people someone somebody \
         anyone anybody ser algum alguma ninguem",
    ),
    (
        Class::Real,
        "real reais humano humana humanos humanas verdade verdadeira verdadeiro vivo viva \
         carne verdadero human live living actual",
    ),
    (
        Class::Det,
        "o a os as um uma uns umas algum alguma alguns outro outra seu sua d de do da dos \
         alguem el la los las un una unos algun alguna otro otra su the an any some your live \
         real other actual ser verdadeiro lo another essa esse esta este",
    ),
    (
        Class::Talk,
        "falar fala fale falo falarmos falasse falr flar conversar converso converse tratar \
         hablar reclamar resolver hablo hable hablarle hablemos charlar platicar hablarlo \
         speak speaking talk talking chat chatting contato contacto comunicacao comunicacion \
         touch",
    ),
    (
        Class::Transfer,
        "passa passe passar passem passam transfere transfira transferir transferencia \
         transferem encaminha encaminhe encaminhar direciona direcione direcionar redireciona \
         redirecionar conecta conecte conectar manda mande mandar coloca coloque colocar bota \
         liga ligue ligar pasa pase pasar pasas pasan pasen pasame paseme pasenme comunica \
         comunicas comunican comunique comuniquen comunicar comunicame comuniqueme \
         comunicarme comunicarnos transfiere transfiera transfieras transferirme transfiereme \
         transferime conectame conecteme conectarme conectas pon ponme ponerme poneme ponga \
         pongame comuniquenme derivar derivame deriva derive derivarme dar darme connect \
         transfer forward redirect hand put enviame canaliza canalizame pasarme contactarme \
         contactar",
    ),
    (
        Class::Summon,
        "chama chame chamar chamem aciona acionar contatar contate contata contactar contacta \
         contacte contactarme chamo llama llamame llame llamar llamen llamas manda mande dame \
         deme denme consigue consigueme mandame contact reach call get give bring find arruma \
         arranja traz traga",
    ),
    (
        Class::Attend,
        "atende atenda atender atendam atendem atendesse atendido atendida atiende atienda \
         atiendan atenderme atendeme ajude ajudar ayude responda responder resolva",
    ),
    (
        Class::Want,
        "quero qro kero quer queria querem qria quereria gostaria gostava desejo desejava \
         preciso precisava presiso necessito prefiro preferia exijo solicito peco posso \
         quiero quisiera querria necesito ocupo deseo prefiero prefiriria preferiria requiero \
         want wanna need would prefer rather demand like id require precisando querendo \
         precisar querer gustaria",
    ),
    (
        Class::Can,
        "pode podem poderia poderiam podia posso consigo consegue conseguem conseguir tem \
         como da dar possivel jeito puedo puede puedes pueden podria podrias podrian podemos \
         hay forma manera can could may possible way how",
    ),
    (
        Class::Chain,
        "me nos lhe te se lo la le que q de a o para pra pro p por favor eu ja mais ya mas yo \
         i to vcs voces vc voce tu usted ustedes you us so somente apenas mesmo logo aqui ai \
         agora ter necesario necessario necessaria precisa precise precisam falta hace \
         preciso es e eh ser quero tengo tenho necesita necesitas is in please directly estar \
         your en im be colocar it va vai",
    ),
    (
        Class::Story,
        "vou vamos ia iria irei fui foi foram disse disseram mandou mandaram pediu pediram \
         falou falaram orientou orientaram recomendou recomendaram ele ela eles elas lembra \
         lembrar lembre lembrete anota anote anotar agenda agendar agendei marca marcar \
         gostei adorei amei depois antes apos parei voy iba dijo dijeron pidio el ella ellos \
         recuerda recuerdame recordar despues he she they will going told said after before \
         remind reminder marido esposa mae pai cobrar",
    ),
    (
        Class::Done,
        "consegui conseguimos conseguiu acabei acabo terminei pude logre pudimos termine \
         managed already falei conversei hable acabamos finally",
    ),
];
