//! What a front-end tool says of itself before it runs (E1).
//!
//! A declaration is data, and a few closures that are asked for words. It must not know how calls are run.

use std::fmt;
use std::rc::Rc;

use schemars::JsonSchema;
use serde_json::{Value, json};

use super::{ToolCall, ToolResult};
use crate::protocol::{DeclarationError, ToolDeclaration};

/// What a tool works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Moves between pages.
    Navigation,
    /// Fills, checks or sends forms.
    Form,
    /// Reads what the page shows.
    Data,
    /// Changes what the page shows: plays, scrolls, opens.
    Ui,
    /// Reads or writes what the browser keeps.
    Storage,
    /// Sends requests.
    Network,
}

/// How much a call can do wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RiskLevel {
    /// Nothing that a click would not mend.
    Safe,
    /// It changes or shows what belongs to the person.
    Moderate,
    /// It cannot be undone. The person is always asked (E18).
    Dangerous,
}

impl Category {
    const ALL: [Self; 6] = [Self::Navigation, Self::Form, Self::Data, Self::Ui, Self::Storage, Self::Network];

    /// `navigation`, `form`, `data`, `ui`, `storage` or `network`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Navigation => "navigation",
            Self::Form => "form",
            Self::Data => "data",
            Self::Ui => "ui",
            Self::Storage => "storage",
            Self::Network => "network",
        }
    }
}

impl RiskLevel {
    const ALL: [Self; 3] = [Self::Safe, Self::Moderate, Self::Dangerous];

    /// `safe`, `moderate` or `dangerous`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Safe => "safe",
            Self::Moderate => "moderate",
            Self::Dangerous => "dangerous",
        }
    }
}

type Prepare = dyn Fn(&Value, &ToolCall) -> Result<String, ToolResult>;
type Summary = dyn Fn(&Value) -> String;

/// A tool that says what it takes, how risky it is and whether the person must agree; the engine sees to it (E7).
///
/// Two declarations that say the same are equal, whatever their closures.
///
/// # Example
/// ```
/// use praxis::tools::{Category, FrontendTool, RiskLevel};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use serde_json::json;
///
/// /// Moves the lesson video to a position.
/// #[derive(Deserialize, JsonSchema)]
/// struct SeekTo {
///     /// Seconds from the start of the lesson.
///     position_seconds: f64,
/// }
///
/// let by_type = FrontendTool::new::<SeekTo>("seek_to").category(Category::Ui).risk_level(RiskLevel::Safe);
/// assert_eq!(by_type.description_text(), "Moves the lesson video to a position.");
/// let declaration = by_type.declaration().unwrap();
/// assert_eq!(declaration.input_schema["properties"]["position_seconds"]["type"], "number");
///
/// let by_schema = FrontendTool::from_schema("clear_notes", json!({ "type": "object", "properties": {} }))
///     .description("Deletes all notes of this lesson. Call it when the person asks for just that.")
///     .risk_level(RiskLevel::Dangerous)
///     .confirmation(|_arguments| "将删除这一课的全部笔记".to_owned());
/// assert!(by_schema.declaration().is_ok());
/// ```
#[derive(Clone)]
pub struct FrontendTool {
    name: Rc<str>,
    description: Rc<str>,
    parameters: Rc<Value>,
    category: Category,
    risk_level: RiskLevel,
    requires_confirmation: bool,
    prepare: Option<Rc<Prepare>>,
    summary: Option<Rc<Summary>>,
}

impl FrontendTool {
    /// A tool whose schema comes from the type of its input, and whose description is the type's doc comment.
    ///
    /// An app that counts bytes gives the schema as JSON, with [`from_schema`](Self::from_schema): then no code that
    /// makes schemas is linked.
    #[must_use]
    pub fn new<I: JsonSchema>(name: impl Into<Rc<str>>) -> Self {
        Self::described_by(name.into(), schemars::schema_for!(I).into())
    }

    /// A tool whose schema is given. What `description` the schema has is the tool's.
    #[must_use]
    pub fn from_schema(name: impl Into<Rc<str>>, parameters: Value) -> Self {
        Self::described_by(name.into(), parameters)
    }

    /// A tool that is declared elsewhere, such as in a file that the agent's definition is made of, too.
    #[must_use]
    pub fn from_declaration(declaration: &ToolDeclaration) -> Self {
        let parameters = declaration.input_schema.clone().into();
        Self::from_schema(declaration.name.as_str(), parameters).description(&*declaration.description)
    }

    /// Reads what [`to_json`](Self::to_json) wrote, in another module of the page; its words stay there.
    #[must_use]
    pub fn from_json(value: &Value) -> Option<Self> {
        let text = |name| value.get(name).and_then(Value::as_str);
        let category = Category::ALL.into_iter().find(|known| Some(known.as_str()) == text("category"))?;
        let risk_level =
            RiskLevel::ALL.into_iter().find(|known| Some(known.as_str()) == text("riskLevel"))?;
        let tool = Self::from_schema(text("name")?, value.get("parameters")?.clone())
            .description(text("description")?)
            .category(category)
            .risk_level(risk_level);
        match value.get("requiresConfirmation")?.as_bool()? {
            true => Some(tool.requires_confirmation()),
            false => Some(tool),
        }
    }

    /// All that the tool says of itself as data: `{name, description, parameters, category, riskLevel,
    /// requiresConfirmation}`.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "name": &*self.name,
            "description": &*self.description,
            "parameters": &*self.parameters,
            "category": self.category.as_str(),
            "riskLevel": self.risk_level.as_str(),
            "requiresConfirmation": self.requires_confirmation,
        })
    }

    /// Not generic: once for all tools.
    fn described_by(name: Rc<str>, mut parameters: Value) -> Self {
        let mut description = Rc::from("");
        if let Some(schema) = parameters.as_object_mut() {
            // A type's name says nothing to a model, and the dialect is the worker's to know.
            schema.shift_remove("title");
            schema.shift_remove("$schema");
            if let Some(Value::String(text)) = schema.shift_remove("description") {
                description = text.into();
            }
            if schema.get("type").is_some_and(|kind| kind == "object") {
                schema.entry("properties").or_insert_with(|| json!({}));
            }
        }
        Self {
            name,
            description,
            parameters: Rc::new(parameters),
            category: Category::Ui,
            risk_level: RiskLevel::Moderate,
            requires_confirmation: false,
            prepare: None,
            summary: None,
        }
    }

    /// Says what the tool does and when to call it, for the model. It must not be empty (K1).
    #[must_use]
    pub fn description(self, description: impl Into<Rc<str>>) -> Self {
        Self { description: description.into(), ..self }
    }

    /// What it works on; `ui` where nothing is said.
    #[must_use]
    pub fn category(self, category: Category) -> Self {
        Self { category, ..self }
    }

    /// How much a call can do wrong; `moderate` where nothing is said.
    #[must_use]
    pub fn risk_level(self, risk_level: RiskLevel) -> Self {
        Self { risk_level, ..self }
    }

    /// The person is asked before each call (E9).
    #[must_use]
    pub fn requires_confirmation(self) -> Self {
        Self { requires_confirmation: true, ..self }
    }

    /// Says in words what a call with these arguments will do; the person is shown it (E9). The arguments have passed
    /// the schema.
    #[must_use]
    pub fn confirmation(self, describe: impl Fn(&Value) -> String + 'static) -> Self {
        self.prepare(move |arguments, _call| Ok(describe(arguments)))
    }

    /// The same for a tool with rules that no schema can say: an error refuses the call before the person is asked,
    /// and also where nobody is asked (E3, E14). The handler gets the same call later, which its
    /// [`serial`](ToolCall::serial) tells from all others.
    #[must_use]
    pub fn prepare(
        self,
        prepare: impl Fn(&Value, &ToolCall) -> Result<String, ToolResult> + 'static,
    ) -> Self {
        Self { prepare: Some(Rc::new(prepare)), ..self }
    }

    /// Says to people what a call has done, for handlers that give back plain values.
    #[must_use]
    pub fn summary(self, summary: impl Fn(&Value) -> String + 'static) -> Self {
        Self { summary: Some(Rc::new(summary)), ..self }
    }

    /// The same declaration, whose words come from whichever tool `current` gives when they are asked for.
    pub fn forwarding(self, current: impl Fn() -> Rc<Self> + 'static) -> Self {
        let current = Rc::new(current);
        let prepare = self.prepare.is_some().then(|| -> Rc<Prepare> {
            let current = current.clone();
            Rc::new(move |arguments, call| current().prepared(arguments, call).unwrap_or(Ok(String::new())))
        });
        let summary = self.summary.is_some().then(|| -> Rc<Summary> {
            Rc::new(move |arguments| current().summarised(arguments).unwrap_or_default())
        });
        Self { prepare, summary, ..self }
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the tool does and when to call it.
    #[must_use]
    pub fn description_text(&self) -> &str {
        &self.description
    }

    /// The JSON Schema of its arguments.
    #[must_use]
    pub fn parameters(&self) -> &Value {
        &self.parameters
    }

    /// What it works on, how risky it is, and whether it wants the person to be asked: what a policy decides by (E18).
    #[must_use]
    pub fn risk(&self) -> (Category, RiskLevel, bool) {
        (self.category, self.risk_level, self.requires_confirmation)
    }

    /// The tool as an agent's definition lists it (K1).
    ///
    /// # Errors
    /// When it breaks K1: the name, an empty description, a schema whose type is not `object`.
    pub fn declaration(&self) -> Result<ToolDeclaration, DeclarationError> {
        let declared = json!({
            "type": "custom",
            "name": &*self.name,
            "description": &*self.description,
            "input_schema": &*self.parameters,
        });
        ToolDeclaration::from_json(&declared, 0)
    }

    /// Its own judgement and words, where it has any.
    pub(super) fn prepared(&self, arguments: &Value, call: &ToolCall) -> Option<Result<String, ToolResult>> {
        self.prepare.as_ref().map(|prepare| prepare(arguments, call))
    }

    /// Its own summary, where it has one.
    pub(super) fn summarised(&self, arguments: &Value) -> Option<String> {
        self.summary.as_ref().map(|summary| summary(arguments))
    }
}

impl PartialEq for FrontendTool {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.description == other.description
            && self.risk() == other.risk()
            && self.parameters == other.parameters
            && self.prepare.is_some() == other.prepare.is_some()
            && self.summary.is_some() == other.summary.is_some()
    }
}

impl fmt::Debug for FrontendTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FrontendTool").field(&self.name).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves the video.
    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema counts")]
    struct SeekTo {
        /// Seconds from the start.
        position_seconds: f64,
        chapters: Option<Vec<Chapter>>,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "only its schema counts")]
    struct Chapter {
        number: u32,
    }

    #[test]
    fn e1_the_schema_and_the_description_come_from_the_type() {
        let tool = FrontendTool::new::<SeekTo>("seek_to");
        let declaration = tool.declaration().unwrap();
        assert_eq!(declaration.description, "Moves the video.");
        let schema = Value::from(declaration.input_schema);
        assert_eq!(
            schema.pointer("/properties/position_seconds"),
            Some(&json!({"description": "Seconds from the start.", "type": "number", "format": "double"}))
        );
        assert_eq!(schema.pointer("/required"), Some(&json!(["position_seconds"])));
        assert_eq!(schema.pointer("/$defs/Chapter/properties/number/minimum"), Some(&json!(0)));
        for left_out in ["title", "$schema", "description"] {
            assert!(schema.get(left_out).is_none(), "{left_out}");
        }
        assert_eq!(tool.description("Another.").description_text(), "Another.");
    }

    #[test]
    fn e1_a_tool_that_breaks_k1_is_refused_with_its_name_and_the_field() {
        let refused = |tool: FrontendTool| tool.declaration().unwrap_err().to_string();
        let object = json!({"type": "object"});
        assert_eq!(
            refused(FrontendTool::from_schema("no spaces", object.clone()).description("d")),
            "tool \"no spaces\": name: must match ^[a-zA-Z0-9_-]{1,64}$"
        );
        assert!(refused(FrontendTool::from_schema("a", object.clone())).contains("tool \"a\": description"));
        assert!(refused(FrontendTool::from_schema("a", json!([])).description("d")).contains("input_schema"));
        assert!(FrontendTool::from_schema("a", object).description("d").declaration().is_ok());
    }

    #[test]
    fn e1_a_tool_goes_to_another_module_as_data() {
        for category in Category::ALL {
            for risk_level in RiskLevel::ALL {
                let tool = FrontendTool::new::<SeekTo>("seek_to").category(category).risk_level(risk_level);
                for tool in [tool.clone(), tool.requires_confirmation()] {
                    assert_eq!(FrontendTool::from_json(&tool.to_json()), Some(tool));
                }
            }
        }
        let mut broken = FrontendTool::new::<SeekTo>("seek_to").to_json();
        broken["category"] = "kitchen".into();
        assert_eq!(FrontendTool::from_json(&broken), None);
    }

    #[test]
    fn k8_declarations_that_say_the_same_are_equal_and_words_are_the_newest() {
        let tool = |word: &'static str| {
            FrontendTool::from_schema("a", json!({"type": "object"})).confirmation(move |_| word.to_owned())
        };
        assert_eq!(tool("old"), tool("new"));
        assert_ne!(tool("old"), tool("old").risk_level(RiskLevel::Dangerous));
        assert_ne!(tool("old"), tool("old").category(Category::Data));
        assert_ne!(tool("old"), tool("old").requires_confirmation());
        let forwarded = tool("old").forwarding(move || Rc::new(tool("new")));
        let call = ToolCall::new("call-1", "a", None);
        assert_eq!(forwarded.prepared(&Value::Null, &call), Some(Ok("new".to_owned())));
        assert_eq!(forwarded.summarised(&Value::Null), None);
    }
}
