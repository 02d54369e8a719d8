//! What stands between a customer and the medicine: its price, other people, words, numbers.

use super::{Group, Table};
use crate::domain::triage::scope::Domain;

/// Frames of the four domains of barriers.
pub const TABLES: &[Table] = &[
    Table {
        group: Group::About(Domain::CostBarriers),
        rule: "cost-barriers",
        phrases: &[
            "preco|precos|precio|precios|price|prices|cost|costs|custo|costo|custa|custam|cuesta|\
             cuestan|valor|caro|cara|caros|caras|expensive|costly|pricey|barato|barata|baratos|\
             cheaper|cheap|cheapest|desconto|descuento|descontos|descuentos|discount|discounts|coupon|coupons|cupom|cupons|cupones|gratis|gratuito|\
             gratuita|gratuitos|free|pagar|pago|pay|afford|comprar|dinheiro|dinero|money|grana|\
             plata|economizar|ahorrar|save|salario|aposentadoria|pension ..7 <med>|<drug>|\
             <statin_drug>|<inhaler_drug>|<antidep_drug>|receita|receta|farmacia|pharmacy|refill",
            "<med>|<drug>|<statin_drug>|<inhaler_drug>|<antidep_drug>|refill|receita|receta|\
             farmacia ..7 preco|precio|price|cost|costs|custo|custa|custam|cuesta|cuestan|caro|\
             cara|caros|caras|carissim*|expensive|costly|pricey|barato|barata|cheaper|cheap|\
             desconto|descuento|discount|gratis|afford|dinheiro|dinero|money|grana|plata|pagar|\
             bolso|salario|aposentadoria|orcamento|presupuesto|budget|caras",
            "de graca ..4 <med>|<drug>|farmacia",
            "<med>|<drug> ..3 de graca",
            "<not>|sem|sin|without|falta|faltou ..3 dinheiro|dinero|money|grana|plata|condicoes|\
             condicao|recursos ..5 <med>|<drug>|farmacia|tratamento|receita|receta|<statin_drug>|\
             <inhaler_drug>|<antidep_drug>|$",
            "<not> ..2 alcanza|alcanzo",
            "<not> <want>? <small>? afford|pagar|costear|bancar|comprar ..4 <med>|<drug>|\
             <statin_drug>|<inhaler_drug>|<antidep_drug>|it|them|$",
            "cant|cannot|couldnt|not|struggle ..1 afford",
            "afford|affording ..3",
            "copay*|copagamento|copago|coparticipacao",
            "seguro|plano|plan|convenio|insurance|medicare|medicaid|sus|obra|prepaga|eps|imss|isapre \
             ..3 cubre|cobre|cover|covers|covered|pagar|paga|pay|pays|cubra|cubren|libera|dejo|\
             parou|fornece|entrega|denied|negou|nego|autoriza|social ..5",
            "covered|coberto|cubierto ..3 insurance|seguro|plano|convenio",
            "farmacia popular",
            "generico|generica|genericos|generic|generics|similar ..3",
            "mais|mas|more barat*|cheap|econom*",
            "expensive|caro|cara|carissim* ..2 for|para|pra|demais|me|mim|mi|too",
            "encareceu|encarecio|subiu|subio|aumentou|aumento ..3 <med>|<drug>|preco|precio",
            "<med>|<drug> ..2 encareceu|encarecio|subiu|subio|aumentou|subieron",
            "gast* ..4 <med>|farmacia",
            "patient assistance program",
            "amostra|amostras|muestra|muestras|sample|samples gratis|gratuita|free|medica|medicas",
            "out of pocket",
            "<how_much> custa|custam|cuesta|cuestan|sai|sale ..4 <med>|<drug>|<statin_drug>|\
             <inhaler_drug>|<antidep_drug>",
            "how much ..5 <med>|<drug>|<statin_drug>|<inhaler_drug>|<antidep_drug> ..2 cost|costs",
            "how much is|does|do ..3 <med>|<drug>|<statin_drug>|<inhaler_drug>|<antidep_drug> \
             cost|costs|$",
            "entre|between|ou|o|or comida|comer|food|aluguel|renta|rent|alquiler e|ou|y|o|and|or ..2 \
             <med>",
            "racionar|rationing|racionando|economizando|estirar|stretching|stretch ..3 <med>|\
             <drug>|dose|dosis|doses|pills",
        ],
    },
    Table {
        group: Group::About(Domain::Caregiver),
        rule: "caregiver",
        phrases: &[
            "cuidador|cuidadora|cuidadores|cuidadoras|caregiver|caregivers|caregiving|caretaker|\
             carer|acompanhante|enfermeira",
            "cuido|cuidar|cuidando|cuidado|cuida|cuidamos ..1 de|da|do|dos|das|a|al|um|uma ..3 \
             <kin>|alguem|alguien",
            "cuido|cuidamos de|da|do|a|al|dos",
            "care|caring|cared|look|looking|looks after|for|of ..3 <kin>",
            "<kin> ..4 <not> ..3 <take>|quer|quiere|want|wants|aceita|acepta|lembra|recuerda|\
             remember|remembers|deixa|deja ..5 <med>|<drug>",
            "<kin> ..3 <not> ..1 <take>|quer|quiere|aceita|acepta $",
            "<take> <small>? <med>|<drug> ..2 para|pra|pro|a|to|al ..2 <kin>",
            "<kin> ..4 <not> ..3 <take> ..4 <med>|<drug>|<statin_drug>|<antidep_drug>",
            "<kin> ..4 esquece|esqueceu|esquecendo|olvida|olvido|keeps|forgetting|forgets|forgot|forget|recusa|\
             recusou|rechaza|niega|refuses|refuse|refusing|esconde|escondeu|escupe|cospe|spits|\
             hides|hide|skips|skipping|pula|pulou|salta|cheeks|throws|joga|tira|vomita|confunde|\
             mistura|mezcla|mixes ..5 <med>|<drug>|<take>|<statin_drug>|<antidep_drug>|dose|dosis|\
             doses",
            "ajudo|ajudar|ajudando|ajude|ayudo|ayudar|ayudo|help|helping|convencer|convenco|\
             convenzo|convince|lembrar|lembro|recordar|recordarle|remind|fazer|faco|faz|get|\
             lograr|dar|dou|darle|give|administrar|organizo|organizar|organize|manage|managing|\
             controlar|apoiar|apoyar|support ..4 <kin>|elder*|someone|alguem|alguien ..5 <med>|\
             <drug>|<take>|<statin_drug>|<antidep_drug>",
            "<med>|<drug>|tratamento|tratamiento ..3 de|da|do|dos|del|of|for|para|pra \
             <small>? <small>? <kin>",
            "my|minha|meu|mi <kin> <small>? <small>? <med>",
            "moms|dads|mothers|fathers|husbands|wifes|grandmas|grandmothers|grandfathers|sons|\
             daughters|kids ..1 <med>|pill|<drug>",
            "<kin> ..3 toma|tomam|toman|takes|taking|take|tomaba|tome|tomar|parou|dejo|stopped ..5 \
             <med>|<drug>|tomar|taking",
        ],
    },
    Table {
        group: Group::About(Domain::HealthLiteracy),
        rule: "health-literacy",
        phrases: &[
            "<not> ..2 entendo|entendi|entende|entiendo|entendi|understand|get|compreendo|\
             comprendo|consigo|leio|leer|read|ler|entender ..5 receita|receta|bula|rotulo|\
             prescription|label|leaflet|prospecto|etiqueta|medico|medica|doctor|doutor|doutora|dr|\
             dra|instruc*|indicac*|instructions|directions|orientac*|letra|handwriting|caixa|caja|\
             box|farmaceutic*|pharmacist|nurse|enfermeir*|remedio|medicamento|medicine|papel|\
             folheto|folleto|termos|terminos|words|palavras|palabras|medication",
            "receita|receta|bula|rotulo|prescription|label|leaflet|prospecto|etiqueta|instruc*|\
             indicac*|instructions|directions|letra|handwriting ..6 <not>|confus*|dificil|dificiles|\
             dificeis|hard|ilegivel|ilegible|illegible|impossivel|imposible|impossible|complicad*|\
             pequena|chica|tiny|small|unreadable|difficult|enredad*",
            "letra|caligrafia|handwriting ..2 medico|medica|doctor|doutor|doctora|receita|receta|bula",
            "medico|medica|doctor|doctora|doutor|doutora|dr|dra|pharmacist|farmaceutic*|enfermeira|\
             enfermera|nurse ..3 fala|falou|explica|explicou|habla|hablo|explico|talks|talk|speaks|\
             uses|used|explains|usa|usou|uso|said|says|disse|dijo|speak ..5 dificil|complicad*|\
             rapido|fast|fancy|words|palavras|palabras|termos|terminos|jargon|big|tecnic*|medical|\
             <not>|confus*|quick|quickly",
            "palavra|palavras|palabra|palabras|words|word|termo|termos|termino|terminos|terms|\
             jargon|language|linguagem|lenguaje ..3 dificil|dificeis|dificiles|medic*|doctor|\
             complicad*|medical|tecnic*|simples|simple|sencill*|plain|facil|faceis|faciles",
            "explica|explicar|explique|explicame|explain|explicas|tell|say|traduz|traduce|diga|fala|\
             habla ..5 simples|simple|sencill*|facil|faceis|plain|easy|easier|simpler|leigo|\
             lego|criollo|portugues|cristao",
            "que|o|what|whats ..2 quer|quiere|significa|means|mean|signific* ..6 receita|receta|bula|\
             caixa|caja|box|label|rotulo|etiqueta|prospecto|continuo|oral|jejum|ayunas|\
             posologia|topico|sublingual|contraindic*|efeito|efecto|prescription|bottle|frasco|\
             tarja|interac*|liberacao|prolongad*|prolongada|retard|xr|sr|bid|tid|prn|refill*|\
             dosis|comprimido|revestido|efervescente|oral|topical|fasting|extended|needed|food|\
             adherencia|aderencia|adesao|adherence|cronic*|chronic|side",
            "what does ..7 mean",
            "o que|q quer dizer , ..6",
            "what does , ..5 , mean",
            "o que|oq e|eh|significa efeito|interacao|generico|placebo|principio|adesao|aderencia|continuo|cronico|cronica|ministrar|sublingual",
            "que|what es|is|son|are un|una|el|la|a|an|los? efecto|interaccion|generico|placebo|principio|adherencia|side|generic|interaction|refill|copay ..1 ??",
            "que quiere decir , ..6",
            "que significa , ..6",
            "o que significa , ..6",
            "bula|prospecto|leaflet|posologia",
            "<not> sei|se|know|sabe ler|leer|read|leo",
            "o que|oq|que e|es uso continuo|oral|topico",
            "contraindic*",
            "uso continuo",
            "prescription label|says",
        ],
    },
    Table {
        group: Group::About(Domain::PillBurden),
        rule: "pill-burden",
        phrases: &[
            "tres|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|treze|quinze|vinte|trinta|quatorze|\
             cuatro|siete|ocho|nueve|diez|once|doce|quince|veinte|trece|catorce|four|five|six|\
             seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|three|dozen|dozens|\
             duzia|docena|monte|monton|punhado|punado|handful|bunch|tons|lots|muitos|muitas|\
             muchos|muchas|tantos|tantas|demasiados|demasiadas|many|varios|varias|several|\
             different|diferentes|distintos|distintas|multiple|muito|muita|mucho|mucha|tanto|tanta|much|\
             #number|bastante|various|pile|\
             porrada|so ..2 <med>",
            "<med> ..2 demais|diferentes|distintos|distintas|demasiad*|overwhelm*|at once|juntos|\
             juntas|todos los dias",
            "too many|much ..1 <med>",
            "polifarmacia|polymedicad*|polypharmacy|polimedicad*",
            "simplif* ..5",
            "regimen|esquema|rotina|rutina ..4 simplif*|complicad*|complex|complexo|complejo",
            "quantidade|cantidad|amount|number de|of <med>",
            "caixa|caixinha|organizador|pastillero|organizer|box de|for ..1 <med>",
            "pill organizer|box|burden",
            "pastillero|porta comprimidos?",
            "<med> ..3 <med> ..3 <med>",
            "juntar|combinar|combine|combinado|polypill|polipilula ..4 <med>",
            "cansad*|cansei|tired|sick|hart* de|of ..2 <take> ..1 tant*|so|many|all|todos",
        ],
    },
    Table {
        group: Group::NoBarrier,
        rule: "not-a-barrier",
        phrases: &[
            "at all cost|costs",
            "me|te|le|nos cuesta|cuestan|custa|costo ..1 seguir|tomar|recordar|acordarme|entender|\
             tragar|mucho|creer|respirar|hacer|dormir|leer|lembrar",
            "at any cost",
            "a|de toda costa",
            "a todo custo|costo",
            "custe o que custar",
            "cueste lo que cueste",
            "no matter the cost",
            "free time|wifi|day|weekend",
            "letra da|de|do musica|cancao|hino",
            "letra de la|una cancion",
            "take care of yourself|you",
            "cuida de voce|ti",
            "muitas|muchas|many gracias|obrigad*|thanks|felicidades",
            "preco|precio|price|valor do|da|de|del|of dolar|euro|gasolina|bitcoin|pao|carne|cerveja|\
             gas|iphone|passagem|ingresso|gold|ouro",
            "receita|receta|recipe de|do|da|of|for bolo|pao|frango|arroz|torta|pollo|pastel|carne|\
             sopa|cake|chicken|macarrao|lasanha|brigadeiro|feijao|panqueca",
            "generic|generico question|answer|resposta",
        ],
    },
];
