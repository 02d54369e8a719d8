//! The OpenAPI 3.1 document, made from the table of routes.

use std::borrow::Cow;
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
    ComponentsBuilder, ContentBuilder, InfoBuilder, OpenApi, OpenApiBuilder, PathsBuilder, Ref,
    RefOr, Required,
};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::problem::Problem;
use super::routes::{Access, Kind, Listed};

type Named = (String, RefOr<Schema>);

/// A type of the API, looked at only when somebody reads the document: a server adds its routes
/// once per thread, and schemas are large.
#[derive(Debug, Clone, Copy)]
struct Shape {
    name: fn() -> Cow<'static, str>,
    schema: fn() -> RefOr<Schema>,
    parts: fn(&mut Vec<Named>),
}

impl Shape {
    fn of<T: ToSchema>() -> Self {
        Self { name: T::name, schema: T::schema, parts: T::schemas }
    }

    fn reference(self) -> RefOr<Schema> {
        RefOr::Ref(Ref::from_schema_name((self.name)()))
    }

    /// It, and what it is made of.
    fn named(self) -> Vec<Named> {
        let mut named = Vec::new();
        (self.parts)(&mut named);
        named.push(((self.name)().into_owned(), (self.schema)()));
        named
    }
}

/// What a body or an answer is.
#[derive(Debug, Clone, Copy)]
enum Content {
    Json(Shape),
    /// A file of this type.
    File(&'static str),
}

impl Content {
    fn content_type(self) -> &'static str {
        match self {
            Content::Json(_) => "application/json",
            Content::File(content_type) => content_type,
        }
    }

    fn schema(self) -> RefOr<Schema> {
        match self {
            Content::Json(shape) => shape.reference(),
            Content::File(_) => binary(),
        }
    }
}

/// What the document says of a route besides its address and its permission.
#[derive(Debug, Clone, Default)]
pub struct Described {
    about: &'static str,
    query: Option<fn() -> Vec<Parameter>>,
    body: Option<Content>,
    answer: Option<(u16, Option<Content>)>,
}

impl Described {
    /// What it does, in a sentence without a full stop.
    pub fn about(&mut self, sentence: &'static str) -> &mut Self {
        self.about = sentence;
        self
    }

    /// Parameters of the query.
    pub fn query<T: IntoParams>(&mut self) -> &mut Self {
        self.query = Some(|| T::into_params(|| Some(ParameterIn::Query)));
        self
    }

    /// A body of JSON.
    pub fn body<T: ToSchema>(&mut self) -> &mut Self {
        self.body = Some(Content::Json(Shape::of::<T>()));
        self
    }

    /// A body that is a file.
    pub fn file(&mut self, content_type: &'static str) -> &mut Self {
        self.body = Some(Content::File(content_type));
        self
    }

    /// An answer of JSON.
    pub fn answers<T: ToSchema>(&mut self, status: u16) -> &mut Self {
        self.answer = Some((status, Some(Content::Json(Shape::of::<T>()))));
        self
    }

    /// An answer that is a file.
    pub fn answers_file(&mut self, content_type: &'static str) -> &mut Self {
        self.answer = Some((200, Some(Content::File(content_type))));
        self
    }

    /// An answer without a body.
    pub fn answers_nothing(&mut self) -> &mut Self {
        self.answer = Some((204, None));
        self
    }

    pub fn sentence(&self) -> &'static str {
        self.about
    }

    /// Types of bodies and answers, by name.
    fn schemas(&self) -> Vec<Named> {
        let contents = [self.body, self.answer.and_then(|(_, content)| content)];
        let shapes = contents.into_iter().flatten().filter_map(|content| match content {
            Content::Json(shape) => Some(shape),
            Content::File(_) => None,
        });
        shapes.flat_map(Shape::named).collect()
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
        for (name, schema) in route.described.schemas() {
            components = components.schema(name, schema);
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
    for parameter in described.query.map(|query| query()).unwrap_or_default() {
        operation = operation.parameter(parameter);
    }
    let part = |content: Content| ContentBuilder::new().schema(Some(content.schema())).build();
    if let Some(body) = described.body {
        let body = RequestBodyBuilder::new()
            .content(body.content_type(), part(body))
            .required(Some(Required::True));
        operation = operation.request_body(Some(body.build()));
    }
    if let Some((status, content)) = described.answer {
        let mut response = ResponseBuilder::new().description("Done");
        if let Some(content) = content {
            response = response.content(content.content_type(), part(content));
        }
        operation = operation.response(status.to_string(), response.build());
    }
    operation.response("default", problem()).build()
}

fn problem() -> utoipa::openapi::Response {
    let schema = RefOr::Ref(Ref::from_schema_name("Problem"));
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
