//! Other people's data, and the secrets of the house.

use super::{Group, Table};
use crate::domain::triage::scope::Category;

/// Frames of requests for what is not the customer's own.
pub const TABLES: &[Table] = &[
    Table {
        group: Group::Reject(Category::Pii),
        rule: "pii-of-others",
        phrases: &[
            "<private> ..2 de|do|da|del|dos|das|d|of|from <small>? <small>? <person>|<kin>",
            "<private> ..3 de|do|da|del|dos|das|d|of|from ..2 paciente|pacientes|cliente|clientes|\
             usuarios|usuario|patients|patient|users|customers|pessoas|personas|vizinha|vizinho",
            "cpf|rg|endereco|telefone|direccion|telefono|cedula|dni|ssn|address|senha|contrasena|\
             password|prontuario|expediente ..1 de|do|da|del|of|dos|das <small>?",
            "outros|outras|otros|otras|other|another|demais ..1 <person> ..4 <private>|perguntam|\
             perguntaram|falam|usam|tomam|preguntan|tomando|ask|asked|asking|taking|take|said|\
             disseram",
            "pacientes|clientes|usuarios|patients|customers|users|patient|user|customer|peoples|\
             someones ..1 <private>|personal|dados",
            "lista|listar|liste|list|relacao|show|dump|export|exporta|exporte|baixar|download|\
             envia|mande|manda|give|dame|pasame|mostre|mostra|muestrame ..3 todos|todas|all|de|dos|\
             every ..2 <person>|pacientes|clientes|usuarios|users|patients|customers",
            "lista|list|relacao de|dos|of|das|los ..2 <private>|<person>",
            "<private> ..4 todos|todas|all ..2 <person>",
            "quem|quien|quienes|who ..2 sao|son|are|usa|usan|uses|atendeu|atendes ..3 pacientes|\
             clientes|usuarios|patients|users|customers",
            "<private> ..6 recebeu|recibiste|received|atendeu|atendiste|falou|hablaste ..4 <person>|\
             antes|outros|otros|others|before",
            "<private> ..4 que atendiste|atendeu|falou|hablo|hablaste",
            "what|which <med>|<drug> is|does|are|do ..3 taking|take|on",
            "que|o|qual|quais|what|which|cual|cuales <med>|<drug> ..3 minha|meu|mi|my|la|o|a|el vizinh*|vecin*|\
             neighbo*|colega|chefe|ex|boss|coworker ..2",
            "<private> personales|pessoais|personal|pessoal ..5 <person>",
            "correo|email|mail|telefono|telefone|celular|whatsapp|zap|endereco|direccion|address|phone|number|numero ..2 do|da|del|de|of <small>? \
             <small>? doctor|doctora|doutor|doutora|dr|dra|medico|medica|last|ultima|ultimo|person|pessoa|persona",
            "quien|quem|who mas|mais|else ..3 usa|uses|use|toma|takes|using|fala",
            "paciente|cliente|usuario|usuaria|patient|customer|user|pessoa|persona|person anterior|previous|antes|before",
            "previous|last|other patient|patients|customer|customers|user|users|client|clients",
            "about|sobre|de|of ..2 other|another|outros|outras|otros|otras <person>",
            "what|whats|tell|give|get|need|find ..3 phone|home|email|cell|personal|street number|address",
            "coworkers|neighbors|neighbours|bosss|boss|exs|colleagues|friends|roommates <private>|<med>|results|records",
            "whose <private>|<med>",
            "de quem|quien <small>? <private>|<med>",
            "onde|donde|where ..1 <person> ..2 mora|vive|lives|live",
            "nome|nombre|name ..1 completo|full|real ..3 <person>",
            "patient|patients|customer|user|client database|db|records|list|data|file|files|names|base",
            "base|banco de|of ..1 <person>",
            "talked|spoke|spoken|chatted to|with|before ..2 before|me",
            "onde|donde|where ..3 mora|vive|live|lives ..3 <person>|ela|ele",
            "<private> particular|pessoal|personal|privado|home ..3 <person>",
            "neighbors|neighbours|bosss|exs|doctors|nurses <private>|home|personal",
        ],
    },
    Table {
        group: Group::Reject(Category::Pii),
        rule: "pii-made-up",
        phrases: &[
            "forneca|gere|gera|gerar|crie|cria|invente|inventa|me|genera|generar|dame|generate|\
             create|give|list ..4 cpf|cpfs|cnpj|cnpjs|cartoes|tarjetas|ssn|ssns|curp|credit|senhas",
            "cpfs|cpf ..2 valid*|fals*|real|reais|aleatori*",
            "numero|numeros|number|numbers ..2 cartao|cartoes|tarjeta|tarjetas|credit|credito|card|\
             ssn|cpf ..2 valid*|teste|de|of|for|credito|$",
        ],
    },
    Table {
        group: Group::Reject(Category::Pii),
        rule: "pii-secrets",
        phrases: &[
            "senha|senhas|password|passwords|contrasena|credencia*|credential*|login ..3 admin*|\
             sistema|system|banco|servidor|server|root|database|wifi|voces|you|usted|master",
            "api|access|secret|token|chave|clave|llave key|keys|token|tokens|api|secreta|acesso",
            "banco|base|dump|acesso|acceso|access|conecta|tabela|table|tablas de|do|al|to|da|the|\
             ao|a dados|datos|database",
            "database|db ..3 users|usuarios|clientes|dump|schema|password|table|tables",
            "select|drop|delete|insert from|table|into|tabela",
            "informacoes|informacion|information|dados|datos|info confidencia*|sigilos*|privad*|\
             internas|internos|private|sensitive|sensiveis|secret*",
            "confidential|private|sensitive data|information|info|records",
        ],
    },
    Table {
        group: Group::Spared(Category::Pii),
        rule: "own-data",
        phrases: &[
            "your|my|the|clinics|clinic|pharmacy|pharmacys|offices|office|support|hospital|doctors \
             phone|email|address|number|mailing|street|customer ..1",
            "meu|minha|meus|minhas|mi|mis|my ..1 <private> <small>? e|eh|es|is|mudou|cambio|#number",
            "<private> de|do|da|del|of <small>? <small>? clinica|farmacia|loja|empresa|posto|\
             hospital|pharmacy|clinic|suporte|sac|atendimento|consultorio|voces|vcs|tienda|laboratorio|\
             support|medico|medica|doctor|doutor|doutora|dra|dr",
            "mudar|alterar|atualizar|cambiar|actualizar|change|update|trocar|excluir|apagar|delete \
             ..1 meu|minha|meus|mi|mis|my ..1 <private>",
            "receita|receitas|receta|remedio|remedios|medicamentos|medication|medications|exames|\
             diagnostico|conta|cuenta|conversas|mensagens|cadastro|numero|number|name|nome|nombre|\
             historia|dados|datos|data|cartao|card|mail|records|whatsapp|celular de|do|da|del|\
             of|dos|from|d <small>? <small>? <kin>|medico|medica|doctor|doutor|dr|doutora|dra|gente|\
             pessoa|people",
        ],
    },
];
