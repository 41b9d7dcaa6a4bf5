/**
 * The JSON form of the values of the API, and a journal of events in JSON Lines. {@link
 * io.github.liquidscheduler.json.JsonCodecs} has a codec for each type; {@link
 * io.github.liquidscheduler.json.EventJournalWriter}, {@link
 * io.github.liquidscheduler.json.EventJournalReader} and {@link
 * io.github.liquidscheduler.json.JournalReplay} record what a scheduler saw and decided and let
 * another decide it again.
 *
 * <p>Reading is strict: unknown and duplicate fields, wrong types and numbers out of range are
 * refused with one line that names the file, the line, the column and the rule ({@link
 * io.github.liquidscheduler.json.JsonFormatException}). Writing is canonical: equal values give
 * equal text, and what is written reads back as an equal value.
 */
@NullMarked
package io.github.liquidscheduler.json;

import org.jspecify.annotations.NullMarked;
