package io.github.liquidscheduler.json;

import java.util.List;

/** The JSON form of a journal's first line: its type and version, and the header's components. */
final class HeaderJson {

  static final Form<JournalHeader> HEADER =
      new ObjectForm<>(HeaderJson::read, HeaderJson::write).form();

  private static final String TYPE = "journal";
  private static final ObjectForm<JournalHeader> COMPONENTS = RecordForm.of(JournalHeader.class);

  private HeaderJson() {}

  private static JournalHeader read(JsonFields in) {
    if (!in.type().equals(TYPE)) {
      throw in.unknownType(List.of(TYPE));
    }
    in.required("version", HeaderJson::version);
    return COMPONENTS.reader().apply(in);
  }

  private static void write(JsonOutput out, JournalHeader header) {
    out.field("type", TYPE, Form.TEXT);
    out.field("version", JournalHeader.VERSION, Form.INTEGER);
    COMPONENTS.writer().accept(out, header);
  }

  private static int version(JsonValue in) {
    int version = in.integer();
    if (version != JournalHeader.VERSION) {
      throw in.expected(
          JournalHeader.VERSION + ", the version of the journal format that this release reads");
    }
    return version;
  }
}
