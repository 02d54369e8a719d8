//! The OpenAPI 3.1 document, made from the table of routes.

use std::collections::BTreeSet;

use actix_web::http::Method;
use utoipa::openapi::path::{
    HttpMethod, Operation, OperationBuilder, Parameter, ParameterBuilder, ParameterIn,
};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ComponentsBuilder, ContentBuilder, InfoBuilder, OpenApi, OpenApiBuilder, PathsBuilder, RefOr,
    Required,
};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::problem::Problem;
use super::routes::{Access, Kind, Listed};

type Named = (String, RefOr<Schema>);

/// What the document says of a route besides its address and its permission.
#[derive(Debug, Clone, Default)]
pub struct Described {
    about: &'static str,
    query: Vec<Parameter>,
    body: Option<(&'static str, RefOr<Schema>)>,
    answer: Option<(u16, &'static str, Option<RefOr<Schema>>)>,
    schemas: Vec<Named>,
}

impl Described {
    /// What it does, in a sentence without a full stop.
    pub fn about(&mut self, sentence: &'static str) -> &mut Self {
        self.about = sentence;
        self
    }

    /// Parameters of the query.
    pub fn query<T: IntoParams>(&mut self) -> &mut Self {
        self.query = T::into_params(|| Some(ParameterIn::Query));
        self
    }

    /// A body of JSON.
    pub fn body<T: ToSchema>(&mut self) -> &mut Self {
        self.body = Some(("application/json", self.refer::<T>()));
        self
    }

    /// A body that is a file.
    pub fn file(&mut self, content_type: &'static str) -> &mut Self {
        self.body = Some((content_type, binary()));
        self
    }

    /// An answer of JSON.
    pub fn answers<T: ToSchema>(&mut self, status: u16) -> &mut Self {
        self.answer = Some((status, "application/json", Some(self.refer::<T>())));
        self
    }

    /// An answer that is a file.
    pub fn answers_file(&mut self, content_type: &'static str) -> &mut Self {
        self.answer = Some((200, content_type, Some(binary())));
        self
    }

    /// An answer without a body.
    pub fn answers_nothing(&mut self) -> &mut Self {
        self.answer = Some((204, "", None));
        self
    }

    pub fn sentence(&self) -> &'static str {
        self.about
    }

    fn refer<T: ToSchema>(&mut self) -> RefOr<Schema> {
        T::schemas(&mut self.schemas);
        self.schemas.push((T::name().into_owned(), T::schema()));
        RefOr::Ref(utoipa::openapi::Ref::from_schema_name(T::name()))
    }
}

fn binary() -> RefOr<Schema> {
    let bytes = ObjectBuilder::new().schema_type(SchemaType::new(Type::String)).build();
    RefOr::T(Schema::Object(bytes))
}

/// The document of all routes of the API.
pub fn document(listed: &[Listed], version: &str) -> OpenApi {
    let mut paths = PathsBuilder::new();
    let mut components =
        ComponentsBuilder::new().schema("Problem", Problem::schema()).security_scheme(
            "token",
            SecurityScheme::Http(Http::builder().scheme(HttpAuthScheme::Bearer).build()),
        );
    for route in listed.iter().filter(|route| is_documented(route)) {
        if let Some(method) = method_of(&route.method) {
            paths =
                paths.path(&route.path, utoipa::openapi::PathItem::new(method, operation(route)));
        }
        for (name, schema) in &route.described.schemas {
            components = components.schema(name, schema.clone());
        }
    }
    let info = InfoBuilder::new()
        .title("Lembra")
        .version(version)
        .description(Some(
            "Everything that operators do in the browser. Each request carries a token of the account in its path (`Authorization: Bearer lembra_…`), made under Tokens or with `bot token add`. A token's scopes are the permissions named at each route; without the permission the answer is 403, and what another account has is 404. Errors are `application/problem+json`.",
        ))
        .build();
    OpenApiBuilder::new()
        .info(info)
        .paths(paths.build())
        .components(Some(components.build()))
        .build()
}

/// Routes of the newest address, of accounts.
fn is_documented(route: &Listed) -> bool {
    route.kind == Kind::Api && route.path.starts_with("/api/v1/accounts/")
}

fn operation(route: &Listed) -> Operation {
    let described = &route.described;
    let mut operation = OperationBuilder::new()
        .summary(Some(described.about))
        .operation_id(Some(operation_id(route)))
        .tag(tag(&route.path))
        .security(SecurityRequirement::new("token", Vec::<String>::new()));
    if let Access::Needs(permission) = route.access {
        operation = operation.description(Some(format!("Needs `{}`.", permission.as_str())));
    }
    for name in path_names(&route.path) {
        operation = operation.parameter(path_parameter(name));
    }
    for parameter in &described.query {
        operation = operation.parameter(parameter.clone());
    }
    if let Some((content_type, schema)) = &described.body {
        let content = ContentBuilder::new().schema(Some(schema.clone())).build();
        let body = RequestBodyBuilder::new()
            .content(*content_type, content)
            .required(Some(Required::True));
        operation = operation.request_body(Some(body.build()));
    }
    if let Some((status, content_type, schema)) = &described.answer {
        let mut response = ResponseBuilder::new().description("Done");
        if let Some(schema) = schema {
            let content = ContentBuilder::new().schema(Some(schema.clone())).build();
            response = response.content(*content_type, content);
        }
        operation = operation.response(status.to_string(), response.build());
    }
    operation.response("default", problem()).build()
}

fn problem() -> utoipa::openapi::Response {
    let schema = RefOr::Ref(utoipa::openapi::Ref::from_schema_name("Problem"));
    let content = ContentBuilder::new().schema(Some(schema)).build();
    ResponseBuilder::new()
        .description("What was wrong")
        .content("application/problem+json", content)
        .build()
}

fn method_of(method: &Method) -> Option<HttpMethod> {
    match method.as_str() {
        "GET" => Some(HttpMethod::Get),
        "POST" => Some(HttpMethod::Post),
        "PUT" => Some(HttpMethod::Put),
        "PATCH" => Some(HttpMethod::Patch),
        "DELETE" => Some(HttpMethod::Delete),
        _ => None,
    }
}

/// Names between braces, in order.
fn path_names(path: &str) -> Vec<&str> {
    let parts = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    parts.collect()
}

/// Ids are integers, but for those of jobs and the names that tools and queues have.
fn path_parameter(name: &str) -> Parameter {
    let texts = BTreeSet::from(["job", "tool", "queue", "schedule", "code", "flag"]);
    let kind = if texts.contains(name) { Type::String } else { Type::Integer };
    let schema = ObjectBuilder::new().schema_type(SchemaType::new(kind)).build();
    ParameterBuilder::new()
        .name(name)
        .parameter_in(ParameterIn::Path)
        .required(Required::True)
        .schema(Some(Schema::Object(schema)))
        .build()
}

/// The part of the account that it is about.
fn tag(path: &str) -> String {
    path.split('/').nth(5).unwrap_or("account").to_owned()
}

/// Unique, and the same as long as the address is.
fn operation_id(route: &Listed) -> String {
    let path = route.path.trim_start_matches("/api/v1/accounts/{account}");
    let words = path.split(['/', '{', '}']).filter(|word| !word.is_empty());
    let mut id = route.method.as_str().to_ascii_lowercase();
    for word in words {
        id.push('_');
        id.push_str(word);
    }
    id
}
