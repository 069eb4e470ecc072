//! The element `prosody`: pace, pitch and level, the course of the pitch, and how long it lasts.

use roxmltree::Node;

use super::{
    attributes,
    elements::Reader,
    pieces::{CourseOfPieces, SsmlError, Style},
};
use crate::spec::{Delivery, Pitch};

/// What an attribute makes of a delivery.
type Reads<'a> = &'a dyn Fn(&str, &mut Delivery) -> Result<(), String>;

impl<'input> Reader<'input> {
    /// What `prosody` makes of a delivery. A duration takes the place of the rate, and a contour that of
    /// pitch and range: these are checked and say nothing then.
    pub(super) fn prosody(&mut self, node: Node<'_, 'input>, style: &mut Style) -> Result<(), SsmlError> {
        let speed = self.speed;
        let rate = move |value: &str, from: &mut _| attributes::rate(value, from, speed);
        let readers: [(&str, Reads<'_>); 4] = [
            ("rate", &rate),
            ("pitch", &attributes::pitch),
            ("range", &attributes::range),
            ("volume", &attributes::volume),
        ];
        let around = style.delivery;
        let mut delivery = around;
        for (attribute, read) in readers {
            if let Some(value) = node.attribute(attribute) {
                read(value.trim(), &mut delivery)
                    .map_err(|why| self.attribute_wrong(node, attribute, &why))?;
            }
        }
        if node.has_attribute("duration") {
            delivery.rate = around.rate;
        }
        let has_contour = node.has_attribute("contour");
        if has_contour {
            // The targets are of the pitch around already; what stands inside changes them.
            delivery.pitch = Pitch::default();
            delivery.range = around.range;
        }
        style.delivery = delivery;
        self.feature("prosody", node, style.voice);
        if has_contour || node.has_attribute("pitch") || node.has_attribute("range") {
            self.feature("prosody pitch", node, style.voice);
        }
        Ok(())
    }

    /// The place of what an element says about the course or the length of its text; `None` when it says
    /// nothing. `around` is the delivery of the element around it.
    pub(super) fn begin_course(
        &mut self,
        node: Node<'_, 'input>,
        name: &str,
        around: Delivery,
    ) -> Result<Option<usize>, SsmlError> {
        if name != "prosody" || !(node.has_attribute("contour") || node.has_attribute("duration")) {
            return Ok(None);
        }
        let contour = match node.attribute("contour") {
            Some(value) => attributes::contour(value, around)
                .map_err(|why| self.attribute_wrong(node, "contour", &why))?,
            None => Vec::new(),
        };
        let duration_ms = match node.attribute("duration") {
            Some(value) => Some(
                attributes::duration_ms(value.trim())
                    .map_err(|why| self.attribute_wrong(node, "duration", &why))?,
            ),
            None => None,
        };
        let start = self.ssml.pieces.len();
        self.ssml.courses.push(CourseOfPieces { pieces: start..start, contour, duration_ms });
        Ok(Some(self.ssml.courses.len() - 1))
    }

    /// Ends what [`Reader::begin_course`] began.
    pub(super) fn end_course(&mut self, course: Option<usize>) {
        let end = self.ssml.pieces.len();
        if let Some(course) = course.and_then(|at| self.ssml.courses.get_mut(at)) {
            course.pieces.end = end;
        }
    }
}
