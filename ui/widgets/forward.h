// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/forward.h"

namespace tfm::ui {

class BarList;
struct BarRow;
class ElidedLabel;
class FieldForm;
struct Message;
class MessageBar;
class NamedNumber;
class NumberLabel;
class Panel;
class PathRow;
class PinChip;
class PromptField;
class Section;
class Segmented;
class SideZone;
class Table;
class TokenLine;
class ValueLine;
class ValueStrip;

}  // namespace tfm::ui
