//! Demands and reproaches that are calm in small letters and anger in capitals.

use super::super::group::{Group, Table};

/// Its phrases.
pub const TABLE: Table = Table {
    group: Group::Pressure,
    rule: "pressure",
    phrases: &[
        "agora|ja|logo|rapido|now|ya|ahora|again $",
        "imediatamente|imediato|imediata|urgente|urgencia|urgentemente|inmediatamente|\
         immediately|asap",
        "exijo|exigimos|exigo",
        "quero que ..2 resolv*|respond*|devolv*|pare*|faca*|mand*",
        "quero|preciso ..2 resposta|solucao|explicacao",
        "nao|n|nunca|ninguem|nada|not|no|dont ..2 funcion*|resolv*|respond*|entend*|atend*|\
         receb*|cheg*|consig*|aceit*|aguent*|ajud*|aparec*|carreg*|abre|entra|consta|\
         adianta|work*|help*|sirve*|llego|llega",
        "nunca|ninguem|nadie|nobody|never",
        "<you> ..2 nao|n|no|nunca|not|dont",
        "resolvam|resolva|resolve|resolver|resolvem|solucion*|respondam|responde|respondem|\
         responda|respondan|atendam|atende|atendem",
        "quero|exijo|cade|meu ..1 estorno|reembolso|refund",
        "devolvam|devolva|devolve|devuelvan|estornem|estorne|reembolsem|respeit*|processar|\
         denuncia*|justica|advogado|procon",
        "absurd*|ruim|pessim*|horrive*|descaso|cansei|cansad*|demor*|esperando|palhacada|\
         vergonha|mentir*|enganad*|roub*|ladr*|golpe|piada|inutil*|burr*|idiot*|errad*|\
         piorou|pior|sumiu|sumiram",
        "de novo",
        "outra|otra vez",
        "de volta",
        "ate|hasta quando|agora|hoje|cuando",
        "por|pq|porque que? continua*|nao|n|no|ninguem|voces|vcs|voce|ainda",
        "cade|kd",
        "quem vai",
        "faz|fazem|ha ..2 dias|horas|meses|semanas|anos",
        "mais|ja ..2 vezes|vez",
        "ja ..1 falei|disse|expliquei|pedi|avisei|reclamei|mandei|repeti|informei",
        "<not> aguento|quero mais",
        "chega|basta de",
        "chega|basta $",
        "para|parem|pare de|com <det>? me|mandar|enrolar|cobrar|palhacada|ligar|encher",
        "why ..3 not|never|again",
        "wrong|broken|worst|terrible|unacceptable",
        "quiero mi dinero|plata",
    ],
};
