//! Benign and off topic: weather, jokes, sport, food, travel, the assistant's private life.

use super::{Group, Table};
use crate::domain::triage::scope::Domain;

/// Topics that no medicine has to do with.
pub const TABLES: &[Table] = &[Table {
    group: Group::About(Domain::General),
    rule: "general-topic",
    phrases: &[
        // weather, time, date
        "tempo|clima|weather ..3 hoje|hoy|today|amanha|manana|tomorrow|now|ai|fora|outside|like|\
         doing|forecast|$",
        "tiempo|clima hace|hara|hay ..1",
        "previsao|pronostico|forecast do|del|de|for",
        "chove|chover|chovendo|chuva|llueve|llover|lloviendo|lluvia|rain|raining|rainy|snow|\
         snowing|sunny|nevar|nieve|neve|ensolarado|temperatura ..3",
        "que|q|what hora|horas|time e|eh|sao|es|son|is|tem|tienes|it",
        "que|what dia|day|date|fecha ..1 e|es|hoje|hoy|is|today|it",
        "what time is",
        // sport
        "futebol|futbol|football|soccer|basquete|basketball|baseball|nba|nfl|volei|tenis|formula|\
         copa|mundial|campeonato|libertadores|flamengo|corinthians|palmeiras|vasco|santos|gremio|\
         messi|neymar|ronaldo|pele|barcelona|madrid|boca|gol|placar|olimpiadas|olympics|estadio|\
         stadium|torcida|brasileirao|champions",
        "ganhou|gano|won|venceu|perdeu|win ..3 jogo|partido|game|match|copa|election|eleicao",
        "que|qual|what|cual ..2 time|equipo|team",
        "jogo|partido|game|match de|do|da|del|ontem|ayer|yesterday|hoje|hoy|today|tonight",
        // entertainment
        "piada|piadas|chiste|chistes|joke|jokes|adivinha|charada|adivinanza|riddle|trava|trabalenguas",
        "filme|filmes|pelicula|peliculas|movie|movies|serie|series|netflix|novela|cinema|cine|anime|\
         show|concerto|concierto|concert|teatro|festival|carnaval|ingresso|ingressos|tickets",
        "musica|musicas|cancion|canciones|song|songs|music|playlist|spotify|cantor|cantora|cantante|\
         singer|banda|album|danca|dancar|bailar|dance|karaoke|guitarra|violao|piano|cantar|sing",
        "poema|poesia|poem|rap|cuento|fabula|novel|essay|redacao|discurso|speech|haiku|lyrics",
        "jogar|jugar|play|videogame|playstation|xbox|minecraft|xadrez|ajedrez|chess|lol|fortnite",
        // food and places
        "pizza|hamburguer|hamburguesa|hamburgueseria|burger|taco|tacos|sushi|churrasco|lasanha|\
         bolo|pastel|torta|cake|feijoada|sorvete|helado|restaurante|restaurantes|restaurant|\
         restaurants|cardapio|menu|recipe|recipes|almocar|jantar|dinner|lunch|cerveja|\
         vinho|vino|wine|beer|cafeteria|padaria|delivery|ifood|sandwich|pasta|empanadas|arepas",
        "receita|receta|recipe de|do|da|of|for pudim|bolo|pao|frango|arroz|torta|pollo|pastel|carne|sopa|\
         brigadeiro|feijao|panqueca|flan|macarrao|lasanha|mousse|coxinha|sobremesa|postre|ceviche|\
         comida|doce|biscoito|cookies|bread|soup",
        "hotel|hoteis|hoteles|hotels|voo|voos|vuelo|vuelos|flight|flights|passagem|passagens|\
         pasaje|aeroporto|aeropuerto|airport|viagem|viaje|viajes|vacation|ferias|vacaciones|praia|\
         playa|beach|turismo|tourist|uber|taxi|onibus|autobus|bus|metro|car|carro|coche|transito|\
         trafico|traffic|gasolina|passport|passaporte|visa|luggage|rental|airbnb",
        // money and errands
        "dolar|dolares|dollar|dollars|euro|euros|bitcoin|bolsa|acoes|stock|stocks|crypto|\
         criptomoeda|loteria|lottery|mega|cotacao|cambio|emprestimo|prestamo|loan|mortgage|\
         hipoteca|imposto|impostos|taxes|tax|boleto|fatura|factura|invoice|banco|bank|credit|\
         investir|invertir|invest|pix|salary|checking|savings|debit|transfer|paypal|bill|bills",
        "comprar|compro|buy|shopping|loja|tienda|store|amazon|iphone|notebook|laptop|\
         tenis|sapato|zapatos|shoes|vestido|dress|presente|regalo|gift|ropa|roupa|clothes",
        "appliance|repairman|plumber|encanador|plomero|eletricista|mechanic|mecanico|oil|tire|tires|\
         battery|vacuum|laundry|lavanderia|furniture|moveis|roof|lawn|grass|garden|jardim|jardin|\
         planta|plantas|plant|plants|flowers|flores|seeds",
        // knowledge
        "capital|presidente|president|governo|gobierno|government|eleicao|eleicoes|elecciones|\
         election|politica|politico|politics|lula|bolsonaro|trump|guerra|war|history|filosofia|philosophy|economia|matematica|math|fisica|physics|\
         geografia|geography|planeta|planet|planets|lua|moon|luna|sol|estrelas|stars|marte|mars|\
         espaco|universo|universe|dinossauro|dinosaur|dinosaurs",
        "noticia|noticias|news|jornal|periodico|newspaper|fofoca|chisme|gossip|famosos|celebrity|\
         celebrities",
        "traduz|traduza|traducir|traduce|translate|translation|ingles|english|frances|french|\
         espanhol|idioma|idiomas|language|languages",
        "quanto|cuanto|how|what <small>? e|eh|es|much|is|are|son|sao #number ..3 #number",
        "#number mais|mas|plus|vezes|por|times|menos|minus|x|dividido|divided #number",
        "calcula|calcule|calculate|converte|converta|convert|convierte|raiz|sqrt",
        "cachorro|cachorros|perro|perros|dog|dogs|gato|gatos|cat|cats|cavalo|horse|passaro|pajaro|\
         bird|birds|peixe|pez|octopus|elefante|elephant|leao|lion|tigre|tiger|animal|animais|\
         animals|animales|pet|pets|mascota|ovos|eggs",
        "signo|signos|horoscopo|horoscope|zodiac|zodiaco|astrologia|tarot",
        "deus|dios|god|gods|religiao|religion|biblia|bible|igreja|iglesia|church|jesus|titan",
        "computador|computer|internet|wifi|site|website|app|aplicativo|android|windows|excel|python|\
         javascript|codigo|programar|programming|programacao|software|instagram|facebook|tiktok|\
         youtube|twitter|printer|impressora|microbes",
        "emprego|empleo|job|jobs|vaga|trabalho|trabajo|curriculo|resume|entrevista|interview|\
         escola|escuela|school|faculdade|universidad|university|college|enem|prova|exam|dever|tarea|\
         homework|professor|profesor|teacher|industries|manager|managers|salary|raise",
        "aniversario|cumpleanos|birthday|natal|navidad|christmas|pascoa|pascua|easter|festa|fiesta|\
         party|casamento|boda|wedding|namoro|dating|tinder|feriado|holiday|holidays",
        "maquiagem|maquillaje|makeup|cabelo|pelo|hair|unhas|unas|nails|tatuagem|tatuaje|tattoo|moda|\
         fashion",
        // the assistant's private life
        "cor|color|comida|musica|filme|food|movie|animal|time|hobby|livro|libro|book ..1 favorit*|\
         preferid*|favourite",
        "sua|seu|tu|your ..1 cor|color|idade|edad|age|signo|mae|mama|mother|namorad*|novi*|\
         girlfriend|boyfriend|familia|family|hobby|birthday|aniversario|cumpleanos|favorit*|\
         favourite|altura|height",
        "voce|vc|tu|you|tienes|have tem|tienes|have|you|un|um ..2 namorad*|novi*|filhos|hijos|kids|\
         girlfriend|boyfriend|irmaos|hermanos|familia|family|pets|cachorro|wife|husband|mae|pai",
        "tienes novi*|hijos|hermanos|familia",
        "quantos|cuantos anos|anios <small>? tem|tienes|tens",
        "how old|tall|rich|big|far|deep|long ..1 are|is|does|did|to",
        "onde|donde <small>? mora|vive|vives|nasceu|naciste",
        "where do|were|are you live|born|from",
        "voce|vc|tu|you|te ..1 gosta|gostas|acredita|acreditas|adora|ama|ama|namora|casad*|come|\
         dorme|torce|prefere|sonha|cree|crees|gusta|like|likes|love|believe|eat|sleep|dream|have \
         ..3",
        "do|what|which you|do ..1 like|love|believe|eat|sleep|dream|prefer|think",
        "crees|te en|gusta|gustan",
        "was|did|is shakespeare|einstein|mozart|elvis|napoleon|cleopatra|beethoven ..3",
        "quem|quien|who foi|fue|was|invented|inventou|invento|wrote|escreveu|escribio|discovered|\
         descobriu|descubrio|won|ganhou|gano|matou|painted|pintou|pinto|directed|built|sings",
        "sentido da|de|del vida|la",
        "meaning of life",
        "me empresta|presta|empresta",
        "casa comigo|conmigo",
        "marry me",
        "te amo",
        "i love you",
        "tell|conta|cuentame|cuenta|conte ..2 story|historia|secret|segredo|algo|fato|dato|something",
        "curiosidade|curiosidades|dato curioso|trivia|fun fact",
    ],
}];
