//! Reproaches that a calm customer also writes, and that a row of `!` or `?` makes impatient.

use super::super::group::{Group, Table};

/// Its phrases.
pub const TABLE: Table = Table {
    group: Group::Marked,
    rule: "complaint-marks",
    phrases: &[
        "cade|kd <filler>? <filler>? meu|minha|o|a|meus|minhas",
        "donde esta|estan mi|mis|el|la",
        "where is|are|the hell my|the",
        "ate agora|hoje nada",
        "hasta ahora nada",
        "devolv*|devuelv*|estorn*|reembols* ..2 meu|mi|minha|my|o|el dinheiro|dinero|plata|grana|\
         money",
        "quero|quiero|want|exijo ..4 dinheiro|dinero|plata|grana|money|reembolso|refund",
        "por|pq|porque que? <filler>? nao|n|no|ninguem|nadie ..1 respond*|resolv*|atend*|contest*",
        "alguem|alguien|hello|alo|oi ..1 respond*|responda|contest*|answer|there",
        "resolvam|resolva|respondam|responde|responda|contesten|respondan",
        "<not> ..2 funciona|funcionou|chegou|chega|respondem|responde|llega|llego|works|working",
    ],
};
