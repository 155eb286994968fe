//! The words by which text for machines gives itself away, in both languages; patterns alone.
//!
//! Each pattern asks for an order or an address, never for a subject: pages about artificial
//! intelligence, forms and instructions stay in peace.

/// How a sentence gives itself away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MachineKind {
    /// It takes earlier instructions back.
    Override,
    /// It addresses a model by its kind or name.
    Address,
    /// It says what is to be put out, marked or left out.
    Output,
    /// It has the marks of a chat or of a reply: `system:`, `<|im_start|>`, `[INST]`, `{"rows": [`.
    RoleMarkup,
    /// It is written so that people do not see it: tag characters, a turned direction, base64.
    Smuggled,
}

/// Who is meant, as the last word of an address.
pub const ADDRESSEE: &str = r"(?:(?:ai|a\.i\.|artificial intelligence|llms?|large language models?|language models?|gpt-?\d*|chatgpt|claude|gemini|copilot|chatbots?|automated (?:systems?|readers?|agents?)|web crawlers?|scrapers?|machine readers?|virtual assistants?|digital assistants?)(?: (?:systems?|models?|assistants?|agents?|bots?|readers?|crawlers?|tools?|reviewers?|extractors?))?)";

/// The same in Chinese.
pub const HAN_ADDRESSEE: &str = "(?:ai|人工智能|人工智慧|大型?語言模型|大型?语言模型|語言模型|语言模型|聊天機器人|聊天机器人|自動化系統|自动化系统|爬蟲|爬虫|chatgpt|claude|gemini|gpt)(?:系統|系统|模型|助手|助理|程式|程序|工具|代理|讀取器)?";

/// Kind and pattern over the folded sentence in small letters. `{A}` and `{H}` stand for the two
/// lists above.
pub const TABLE: &[(MachineKind, &str)] = &[
    (
        MachineKind::Override,
        r"\b(?:ignore|disregard|forget|override|bypass|overrule)\b(?: \w+){0,3} (?:previous|prior|above|earlier|preceding|foregoing|system|original|existing)(?: \w+){0,2} (?:instructions?|prompts?|commands?|directions|rules|guidelines|messages|context)(?:$|[.,;:!] ?| and | or | then )",
    ),
    (
        MachineKind::Override,
        r"\b(?:ignore|disregard|forget) (?:all|any|your)(?: of)?(?: your| the)? (?:instructions|prompts|rules|guidelines)(?:$|[.,;:!]| and )",
    ),
    (
        MachineKind::Override,
        "(?:忽略|無視|无视|忘記|忘记|忘掉|不要理會|不要理会|不用理會|不理會|推翻|覆蓋|略過|跳過).{0,4}(?:以上|上述|之前|先前|前面|前述|此前|所有|一切|原有|系統|系统|你的|您的).{0,5}(?:指示|指令|提示詞|提示词|命令|系統設定|prompt|system prompt)",
    ),
    (
        MachineKind::Address,
        r"\b(?:note|message|notice|attention|attn|instructions?|reminder|memo|warning|info|information|dear|hello|hey|hi|important)(?: to| for|:|,)?(?: (?:all|any|the|our|every|this))* {A}(?:$| *[:,;.!\-] ?| and | or | reading | processing | that | who | which | must | should | please )",
    ),
    (
        MachineKind::Address,
        r"\b(?:if|when|in case|because|since) you(?: are|'re)(?: \w+)? (?:an? )?(?:{A}|bot|machine|robot|automated \w+)\b",
    ),
    (
        MachineKind::Address,
        r"\byou are(?: now)? (?:an? )?(?:(?:helpful|ai|large|language|friendly|expert) )+(?:assistant|model|ai|chatbot|system)\b",
    ),
    (
        MachineKind::Address,
        r"\bas an? (?:ai|large language|language|artificial intelligence) (?:model|assistant|system|agent)?,? ?(?:you|please|your)\b",
    ),
    (
        MachineKind::Address,
        r"^(?:to |for )?(?:all |any |the )?{A} ?[:,] ?(?:please|you|set|mark|ignore|output|return|do not|always|report|treat|use|skip|reply|answer|include|record|extract)\b",
    ),
    (
        MachineKind::Address,
        r"\b{A} (?:reading|processing|parsing|summari[sz]ing|indexing|crawling|extracting)\b.{0,40}\b(?:must|should|shall|please|are to|is to|:)",
    ),
    (
        MachineKind::Address,
        "(?:致|告|敬告|提醒|通知|給|给|注意)[ :：，]?(?:各|各位|所有|任何|正在閱讀的|每個)?{H}(?:$|[ :：，,。!！、請请的]|讀者|閱讀)",
    ),
    (
        MachineKind::Address,
        "(?:^|[。，,：:；;「（( ]){H}[ ,，:：]?(?:請|请|你|您|務必|务必|不要|切勿)",
    ),
    (
        MachineKind::Address,
        "(?:如果|若|假如|倘若|當|当)(?:你|您)(?:是|為|为)(?:一個|一个|一名)?{H}",
    ),
    (MachineKind::Address, "你(?:現在|现在)?是(?:一個|一个|一名|一位)?.{0,4}(?:{H})"),
    (
        MachineKind::Output,
        r"\b(?:mark|flag|set|label|tag|treat|report|classify|approve)\b(?: (?:the|this|all|every|each|any|these|its|that|\w+ed)){0,2} (?:rows?|records?|entry|entries|extractions?|fields?|findings?|snippets?|outputs?|(?:all|every|each) claims?|results?)(?: \w+){0,2} as (?:approved|accepted|passed|verified|confirmed|valid|correct|true|reviewed|signed)\b",
    ),
    (
        MachineKind::Output,
        r"\bset (?:every|each|all|any)(?: \w+){0,4} (?:amounts?|values?|fields?|ages?|incomes?|limits?|fees?|rows?|rates?|dates?|numbers?|answers?) to\b",
    ),
    (
        MachineKind::Output,
        r"\b(?:output|print|return|emit|respond with|reply with|answer with)(?: \w+){0,2} (?:json|the following (?:text|json|row|value|answer)|an empty (?:list|array|json|answer)|no rows|zero rows|only (?:the word|yes|no|json|rows?))\b",
    ),
    (
        MachineKind::Output,
        r"\b(?:do not|don't|never) (?:extract|flag|output|report|quote|mention|reveal|disclose|summari[sz]e)(?: \w+){0,3} (?:rows?|snippets?|prompt|instructions?|fields?|extraction)\b",
    ),
    (
        MachineKind::Output,
        r"\b(?:reveal|print|repeat|show|output|leak)(?: \w+){0,2} system prompt\b",
    ),
    (
        MachineKind::Output,
        "(?:所有|每一?(?:項|筆|個|列|欄|个|项|笔)|全部|各).{0,6}(?:金額|金额|數值|数值|欄位|栏位|字段|資料列|列|答案|結果|结果|年齡|年龄|限額|记录|記錄).{0,3}(?:都|均|一律|全部|皆)?(?:設為|設定為|设为|设定为|填為|填為|填写为|改成|輸出為|输出为|寫為|写成|標記為|标记为|標示為)",
    ),
    (
        MachineKind::Output,
        "(?:標記|标记|標示|标示|註記|判定|判斷|視)(?:為|为|成)「?(?:已核准|核准|已通過|已通过|通過|通过|已批准|批准|正確|正确|已審核|已审核|已驗證|有效)」?(?:$|[。，,；;！!])",
    ),
    (
        MachineKind::Output,
        "(?:請|请|只|僅|仅|直接|必須|必须|務必|不要|不得|勿)(?:輸出|输出|回覆|回复|回傳|返回)(?:以下|json|下列|空|「|\"|任何|系統提示|系统提示|結果|结果|列)",
    ),
    (
        MachineKind::RoleMarkup,
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id)[^|]{0,20}\|>|\[/?inst\]|<</?sys>>|</?(?:system|assistant|instructions?|prompt)>",
    ),
    (
        MachineKind::RoleMarkup,
        r"^(?:#+ ?|\W{0,4})?(?:system|assistant|developer)(?: prompt| message| instructions?)? ?: ?(?:you|your|ignore|please|set|output|now|always|new|override|from now|do not|mark|return|the (?:user|model|assistant))\b",
    ),
    (
        MachineKind::RoleMarkup,
        r"\b(?:begin|start|end|new) (?:of )?(?:system prompt|system message|system instructions?|prompt)\b|\bsystem prompt ?:",
    ),
    (
        MachineKind::RoleMarkup,
        "(?:^|[。「])(?:系統|系统|助理|助手)(?:提示詞?|提示词?|指令|訊息|消息)?[ :：]+(?:你|您|請|请|忽略|從現在|从现在|將|将)|(?:系統|系统)(?:提示詞|提示词|指令)[:：]",
    ),
    (
        MachineKind::Output,
        r"\b(?:add|insert|append|include|output|create|write)\b(?: \w+){0,4} rows?\b(?: \w+){0,4} (?:with|saying|stating|says|whose|where)\b.{0,60}\b(?:fields?|values?|snippets?|op|force|verdicts?|amounts?)\b",
    ),
    (
        MachineKind::Output,
        r"\b(?:confirm|approve|accept|pass|verify)\b(?: \w+){0,2} (?:all|every|each)\b(?: \w+){0,3} (?:rows?|verdicts?|extractions?|snippets?)\b",
    ),
    (
        MachineKind::Output,
        r"\b(?:mark|answer|return|give|set|reply)\b.{0,40}\b(?:rows?|verdicts?|everything|all of them)\b.{0,30}\bconfirmed\b",
    ),
    (
        MachineKind::Output,
        r"\b(?:ignore|drop|omit|leave out|skip|disregard|remove)\b(?: \w+){0,3} (?:negations?|negative words|the word.{0,3} not\b|exceptions? and conditions|(?:conditions|exceptions|qualifiers) (?:in|from|when) (?:your|the) (?:output|answer|extraction|rows?|json))",
    ),
    (
        MachineKind::Output,
        r"\b(?:include|add|put|embed|append|render|show)\b.{0,40}(?:link|image|url|markdown)\b.{0,40}\b(?:in|into|to) (?:your|the) (?:reply|answer|output|response|json)\b",
    ),
    (MachineKind::Output, r"!\[[^\]]{0,80}\]\( ?(?:https?:|data:|//)"),
    (
        MachineKind::Output,
        "(?:新增|加入|增加|插入|寫入|写入|補上).{0,4}(?:一|1|兩|多|假)?(?:筆|列|行|條|笔).{0,6}(?:資料列|資料|数据行)?.{0,20}(?:欄位|字段|field|value|snippet|值為|值为)",
    ),
    (
        MachineKind::Output,
        "(?:將|将|把|對|请|請)?.{0,4}(?:所有|全部|每一|各).{0,3}(?:資料列|数据行|列|結論|结论|判定).{0,8}(?:confirmed|核可|判定為正確|判定为正确|視為正確|一律確認|全部確認)",
    ),
    (
        MachineKind::Output,
        "(?:忽略|略去|刪去|删去|省略|無視|无视|不要理會|拿掉).{0,8}(?:否定詞|否定词|否定字|否定語|「不」|「未」|但書|例外(?:規定|條款|情形)?).{0,16}(?:輸出|输出|擷取|摘錄|資料列|答覆|回覆|寫成|$)",
    ),
    (
        MachineKind::Output,
        "(?:在|於|将|將|把).{0,10}(?:圖片|图片|連結|链接|網址|网址).{0,20}(?:放進|放入|加入|寫進|附在).{0,6}(?:你的|您的)?(?:答覆|回覆|輸出|回答|json)",
    ),
    (
        MachineKind::Output,
        "(?:放進|放入|加入|寫進|附在|附上)(?:你的|您的)(?:答覆|回覆|輸出|回答)|(?:你的|您的)(?:答覆|回覆|輸出|回答)(?:中|裡|里|內)?(?:請|请|必須|應|须|加|附|放)",
    ),
    (
        MachineKind::Address,
        r"\b(?:pretend|act as (?:if|though)|imagine|role-?play|from now on)\b.{0,30}\byou(?: are|'re|r)?\b.{0,40}\b(?:assistant|model|ai|officer|approver|admin(?:istrator)?|reviewer|extractor|reader|unrestricted|no rules)\b",
    ),
    (
        MachineKind::Address,
        "(?:假裝|假装|扮演|設想|请想像|從現在起|从现在起|從現在開始|从现在开始).{0,6}(?:你|您).{0,10}(?:助理|模型|審查員|審核員|覆核者|審查者|核准人|管理員|擷取|沒有限制|没有限制|不受)",
    ),
    (
        MachineKind::Address,
        "(?:第二位讀者|第一位讀者|審查模型|覆核模型|擷取模型|審查者|覆核者|擷取者|擷取程式|審查程式).{0,12}(?:請|必須|一律|直接|全部|不必|無須|不得)",
    ),
    (
        MachineKind::Address,
        r"\b(?:first|second) reader\b.{0,40}\b(?:confirm|approve|accept|skip|ignore|add|must|should|shall)\b|\b(?:reviewer|extractor)s?\b ?[:,].{0,40}\b(?:confirm|approve|accept all|skip|ignore|add|mark)\b",
    ),
    (MachineKind::RoleMarkup, r#"\{ ?"(?:rows|verdicts|groups|missing)" ?: ?[\[{]"#),
    (
        MachineKind::RoleMarkup,
        r"={3,} ?(?:end|begin|close|quoted)\b|\b(?:end|close) of (?:the )?(?:quoted|untrusted|user) (?:text|data|block|section|input)\b|\bquoted-[0-9a-f]{8,}|</?(?:quoted|untrusted|user_?input|data|document)(?:_text)?>|(?:引用|段落)(?:資料|文字|內容)?(?:到此)?(?:結束|完畢)",
    ),
    (
        MachineKind::RoleMarkup,
        "(?:^|[。「\"])(?:使用者|用戶|用户|開發者|开发者|管理員)[ ]?[:：]+ ?(?:你|您|請|请|忽略|將|将|現在|现在)|^(?:user|human)[ ]?[:：] ?(?:ignore|please|now|mark|set|confirm|approve|you)",
    ),
];
