//! Ways of speaking in which nobody dies: hyperbole, sport, films, prevention, other objects.

use super::{Group, Table};

/// Frames that take the danger out of what stands inside.
pub const TABLES: &[Table] = &[Table {
    group: Group::Harmless,
    rule: "figure-of-speech",
    phrases: &[
        // "me matar de rir", "me mato trabalhando", "morrer de fome", "me muero de risa"
        "<want>? <self>? matar|mato|matei|mata|matou|matarme|mate|matando de|d|com|con|em|no|na \
         <small>? <small>? rir|rio|risa|risas|trabalhar|trabalho|trabajar|trabajo|estudar|estudo|\
         estudar|estudiar|comer|correr|treinar|treino|malhar|academia|gym|dancar|bailar|limpar|\
         vergonha|verguenza|fome|hambre|saudade|tanto|tanta|cansaco|orgulho|alegria|amor|susto|\
         curiosidade|tedio|fazer|limpiar|cozinhar|esforco|rango|churrasco|gritar|chorar|ansiedade",
        "<self> matar|mato|matei|matando trabalhando|estudando|treinando|correndo|rindo|fazendo|\
         limpando|malhando|trabajando|estudiando|entrenando|tentando|pra|para <small>? <small>? \
         pagar|conseguir|entregar|passar|chegar|ganhar|dar|terminar|sustentar|criar|entrar|$",
        "<self> matar|mato|matando trabalhando|estudando|treinando|trabajando|estudiando|correndo|\
         rindo|entrenando|limpando",
        "matarme trabajando|estudiando|entrenando|corriendo",
        "kill|killing myself laughing|working|studying|training|trying|at|over|for|with|doing|\
         cleaning|running",
        "<die> de|d|del|of|from|por <small>? <small>? rir|risa|fome|hambre|sede|sed|calor|frio|\
         sono|sueno|saudade|saudades|amor|vergonha|verguenza|pena|raiva|rabia|tedio|inveja|\
         envidia|susto|medo|miedo|ciume|ciumes|ansiedade|curiosidade|vontade|ganas|cansaco|\
         cansancio|orgulho|felicidade|alegria|laughing|laughter|hunger|boredom|embarrassment|\
         shame|heat|cold|thirst|tanto|tanta|fofura|velhice|velho|velha|old|viejo|vieja|curiosity|\
         happiness|amores|nervoso|preguica|um|uno|esa|dor",
        "<die> for|por|to <small>? <small>? un|una|a|um|uma|some|see|know|try|ver|meet|that|esse|\
         essa|ese|esa|comer|conocer|ir",
        "<die> <small>? cedo|velho|velha|viejo|vieja|young|old|jovem|joven|temprano|sem|sin|rico|\
         rica|without|before|antes",
        // a denied wish
        "<not> <small>? quero|vou|pretendo|quiero|voy|want|gonna|going|penso|precisa|preciso|adianta|\
         vai <small>? <small>? <self>? <self>? matar|matarme|suicidar|suicidarme|<die>|kill",
        "<not> <small>? <self> quiero|voy <small>? <die>|matar",
        // other objects
        "matar|mato|matei|mata|mate|matando|kill|killing|matarme|mataram <small>? aula|aulas|tempo|\
         tiempo|time|fome|hambre|saudade|saudades|sede|charada|barata|baratas|mosquito|mosquitos|\
         rato|ratos|formiga|formigas|process|bug|vontade|curiosidade|gusanillo|antojo|dois|bola|\
         leao|job|it|the|dia|serie",
        "kill for",
        "<self> matar|mato a|o|as|os saudade|saudades|fome|curiosidade|sede|vontade|tempo",
        "matarme el|la hambre|tiempo|antojo",
        "quero|queria|vontade|vou|quiero|voy de? matar|matarlo meu|minha|o|a|esse|essa|voces|vcs|\
         voce|mi|al|el|la|quem|ele|ela",
        "bateria|celular|telefone|carro|pc|planta|computador|phone|battery|computer|app|plantas \
         ..2 <die>|morreu|murio|died|<dead>|morta",
        // works, teams, campaigns, study
        "esquadrao|escuadron|squad suicida|suicidas",
        "suicide squad",
        "suicid* squad|prevention|hotline",
        "prevencao|prevencion|combate|prevenir|palestra|livro|filme|serie|materia|artigo|\
         documentario|documental|pelicula|noticia|campanha|campana|setembro|aula|tema|redacao|\
         trabalho|tcc|pesquisa|musica|podcast|curso|novela|movie|book|article|documentary ..5 \
         suicid*",
        "suicid* ..2 filme|serie|livro|personagem|hitler|vargas|getulio|estatisticas|tema",
        "<want>|vou ..2 ver|assistir|ler|leer|watch|read ..4 suicid*",
        "suicidio politico|profissional|comercial|financeiro|politica|financiero",
        "political|career|financial suicide",
        "missao|ataque|homem|kamikaze|mision|atentado|jogada suicida",
        // cuts, jumps and falls of daily life
        "cut|cuts|burn|burned|hurt myself shaving|cooking|on|with|while|at|playing|by|again|in|\
         running|exercising|badly|some|a",
        "<want>? <self>? cortar|cortarme|cortando <small>? <small>? cabelo|cabelos|pelo|unha|unhas|unas|\
         barba|franja|gastos|gasto|acucar|carne|refrigerante|azucar|cartao|custos|luz|hair",
        "me|se machucar|lastimar|machucando no|na|jogando|correndo|treinando|en|jugando|em|fazendo",
        "hacerme dano la|el|este|esta|esto|si|con|al|tomar|comer",
        "<want> <small>? <self>? jogar|jogo|tirarme|tirar na|no|en|a piscina|cama|sofa|mar|rio|\
         pileta|alberca|agua|playa|praia|trabalho",
        "jump|jumping off the? topic|call|couch|bed|board|diving|chat",
        "pular|saltar ..1 de paraquedas|bungee|alegria|felicidade|paracaidas",
        "pular|jump|saltar ..2 bungee|parachute",
        "jogar|jump|jumping|throw|tirar ..2 lixo|papel|coisas|basura|onto|into|in ..2",
        "pegar|perder|tomar|entrar|subir|take|catch|miss|coger ..1 trem|tren|metro|train",
        "medir|mediu|mido|toma|verificar|dor|doi|dolor|fratura|relogio|reloj|abri|pain|hurts ..2 \
         pulso|pulsos|muneca|munecas|wrist|wrists",
        "cortei|corte|corto|cortar ..4 barba|cozinha|cozinhando|cocinando|papel|vidro|vidrio|cabelo|pelo|\
         dedo|mao|faca|cuchillo|unha|afeitando|shaving|cooking|carne|legumes|pao",
        "dormir|sleep <small>? <small>? sempre|siempre|forever ..1 aqui|hotel|cama|nesse|nessa|colchao",
        "parar|deixar|dejar de viver|vivir de|en|na|no|com|con|aluguel",
        "vou fazer uma loucura e",
        // ends of other things
        "acabar|terminar|end|acabo|acabando com|con <small>? minha|mi|a|la|o|el|meu <small>? \
         assinatura|suscripcion|contrato|plano|dieta|namoro|relacao|subscription|dor de|nas|nos|\
         divida|dividas|espinha|fome|duvida|dor en|no|na",
        "acabar|terminar|end com|con a|o|la|el|essa|esse dor|dolor de|da|do|nas|no|na|en",
        "end|ending my pain in|meds|medication|at",
        "dar|por|poner fim|fin na|no|ao|a|al <small>? contrato|assinatura|plano|suscripcion|namoro|\
         greve|relacao|conversa",
        "<want>|sumir|desaparecer pra|para|de ferias|vacaciones|praia|playa|vista|cena|redes",
        "sair|desistir|desisti|desisto da|de|do <small>? academia|dieta|curso|faculdade|plano|vida \
         de|social|financeira|emprego|noturna",
        "melhor|mejor|better <small>? <dead> de|do|que|than",
        "<dead> de|d|tired <small>? cansaco|cansancio|fome|hambre|sono|sueno|medo|miedo|rir|risa|\
         vergonha|frio|calor|preguica|sede|sed|inveja|saudade",
        "quality|qualidade|calidad|fim|resto|fin|rest of|de|da ..1 vida|life",
        "cansad* da|de vida de|corrida|adulta|sedentaria|urbana|na|no",
        "cansei da|de vida de|corrida|adulta|sedentaria|na|no|loca",
        "tired of life in|admin",
        "nao|no consigo|puedo|aguento mais|mas viver|vivir com|con|sem|sin <small>? dor|dolor|cafe|\
         internet|celular|voces|vcs|voce|vc|ele|ela|musica|chocolate|essa|esse|esto|ele|wifi|ti|el|\
         ella|meu|minha|mi|ustedes",
        "cant live without",
        "<not> <want> <small>? <small>? <small>? viver|vivir|live|morar sem|sin|with|in|em|en|nesse|nessa|\
         neste|nesta|con|com|na|no|in <small>? casa|apartamento|cidade|bairro|dor|dolor|pais|\
         ciudad|barrio|here|brasil|apartment|house|city|place|town|area|neighborhood|neighbourhood|interior|predio|aluguel|pain|voces|voce|isso|medo|miedo|deuda|\
         divida|dividas|ansiedade|ansiedad",
        "<not> quero|quiero acordar|despertar cedo|tarde|a|o|al|temprano|todo|as|el|la|ninguem|meu",
        "<not> want to? wake up early|at|late|the|my",
        "wish i was|were here|there|rich|born in|rico",
        "no point|reason|sentido ..3 vida|viver|life sem|sin|de|util|without",
        "ninguem|nadie|nobody <small>? sentir*|me ..2 falta|extranar* do|da|del|de|dele|dela",
        "nota|carta|note|mensagem de|of despedida ..4 empresa|trabalho|colega|escola|curso|chefe|\
         trabajo|coworker|professor|turma|oficina",
        "festa|fiesta|jantar|party|cha de|of? despedida",
    ],
}];
