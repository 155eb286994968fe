//! The looks of the sheet: one format for each kind of cell; never a meaning of its own.

use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder, FormatUnderline};

use crate::model::quote::Emphasis;
use crate::sheet::columns::CellKind;

const INK: Color = Color::RGB(0x0022_2222);
const PALE: Color = Color::RGB(0x00F4_F4F2);
const OPEN: Color = Color::RGB(0x00FF_FBE6);
const LINE: Color = Color::RGB(0x00D0_D0CC);
const HEAD: Color = Color::RGB(0x001F_3A5F);
const QUOTE: Color = Color::RGB(0x00A6_1B1B);
const QUIET: Color = Color::RGB(0x0077_7777);

/// Every format of a workbook.
pub struct Styles {
    pub header: Format,
    pub open_header: Format,
    pub title: Format,
    pub head: Format,
    pub text: Format,
    pub label: Format,
    pub fact: Format,
    pub sign: Format,
    evidence: Format,
    identity: Format,
    link: Format,
    choice: Format,
    free: Format,
    plain: Format,
    quote: Format,
    number: Format,
    remark: Format,
}

impl Styles {
    /// The formats for a file.
    pub fn prepared() -> Self {
        let base = Format::new().set_font_size(10.5).set_font_color(INK);
        let cell = base
            .clone()
            .set_text_wrap()
            .set_align(FormatAlign::Top)
            .set_border(FormatBorder::Thin)
            .set_border_color(LINE)
            .set_num_format("@");
        let header = cell
            .clone()
            .set_bold()
            .set_font_color(Color::White)
            .set_background_color(HEAD)
            .set_align(FormatAlign::VerticalCenter);
        let open = cell.clone().set_unlocked().set_background_color(OPEN);
        Self {
            open_header: header.clone().set_background_color(Color::RGB(0x008A_6D00)),
            header,
            title: base.clone().set_bold().set_font_size(18).set_font_color(HEAD),
            head: base.clone().set_bold().set_font_size(13).set_font_color(HEAD),
            text: base.clone().set_text_wrap().set_align(FormatAlign::Top),
            label: base.clone().set_bold().set_text_wrap().set_align(FormatAlign::Top),
            fact: base.clone().set_text_wrap().set_align(FormatAlign::Top).set_num_format("@"),
            sign: open.clone(),
            evidence: cell.clone().set_background_color(PALE),
            identity: cell
                .clone()
                .set_background_color(PALE)
                .set_font_size(8)
                .set_font_color(QUIET),
            link: cell
                .clone()
                .set_background_color(PALE)
                .set_font_color(Color::RGB(0x0005_63C1))
                .set_underline(FormatUnderline::Single),
            choice: open.clone().set_bold(),
            free: open,
            plain: base.clone(),
            quote: base.clone().set_font_color(QUOTE),
            number: base
                .clone()
                .set_font_color(QUOTE)
                .set_bold()
                .set_underline(FormatUnderline::Single),
            remark: base.set_font_color(QUIET).set_italic(),
        }
    }

    /// The format of a cell.
    pub fn of(&self, kind: CellKind) -> &Format {
        match kind {
            CellKind::Evidence => &self.evidence,
            CellKind::Identity => &self.identity,
            CellKind::Link => &self.link,
            CellKind::Choice => &self.choice,
            CellKind::Free => &self.free,
        }
    }

    /// The format of an evidence cell that is one piece from end to end.
    pub fn whole(&self, emphasis: Emphasis) -> Format {
        self.evidence.merge(self.piece(emphasis))
    }

    /// The format of a piece inside a cell.
    pub fn piece(&self, emphasis: Emphasis) -> &Format {
        match emphasis {
            Emphasis::Plain => &self.plain,
            Emphasis::Quote => &self.quote,
            Emphasis::Number => &self.number,
            Emphasis::Remark => &self.remark,
        }
    }
}
