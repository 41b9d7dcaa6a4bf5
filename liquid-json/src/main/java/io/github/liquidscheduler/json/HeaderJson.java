package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.ClusterTopology;

/** The JSON form of a journal's first line. */
final class HeaderJson {

  private static final String TYPE = "journal";

  private HeaderJson() {}

  static JournalHeader read(JsonValue in) {
    return in.object(HeaderJson::header);
  }

  static void write(JsonOutput out, JournalHeader header) {
    out.object(
        () -> {
          out.field("type", TYPE);
          out.field("version", JournalHeader.VERSION);
          out.field("policy", header.policy());
          out.name("recordsDecisions").flag(header.recordsDecisions());
          out.strings("settings", header.settings());
          out.field("cluster", header.cluster(), TopologyJson::write);
          out.optional("start", header.start(), SnapshotJson::write);
        });
  }

  private static JournalHeader header(JsonFields in) {
    if (!in.type().equals(TYPE)) {
      throw in.unknownType(TYPE);
    }
    in.required("version", HeaderJson::version);
    String policy = in.required("policy", JsonValue::text);
    ClusterTopology cluster = in.required("cluster", TopologyJson::read);
    JournalHeader.Builder header = JournalHeader.builder(policy, cluster);
    header.recordDecisions(in.required("recordsDecisions", JsonValue::flag));
    in.strings("settings").forEach(header::setting);
    in.optional("start", SnapshotJson::read).ifPresent(header::start);
    return header.build();
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
