package io.github.liquidscheduler.reconcile;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * A note as a line of text: fields between spaces, each encoded as in a URL, and a check sum. A
 * field that is not there is a hyphen.
 */
final class NoteLine {
  private static final String NONE = "-";
  private static final int FIELDS = 11;

  private NoteLine() {}

  static String write(JobNote note) {
    List<String> fields = new ArrayList<>();
    fields.add(note.job().value());
    fields.add(note.own().value());
    fields.add(note.began().map(at -> "" + at.attempt()).orElse(""));
    fields.add(note.began().map(NoteLine::nodes).orElse(""));
    fields.add(note.began().map(JobNote.Began::epoch).orElse(""));
    fields.add(note.ended().map(at -> "" + at.attempt()).orElse(""));
    fields.add(note.ended().map(at -> at.how().name()).orElse(""));
    fields.add(note.moved().isPresent() ? "" + note.moved().getAsInt() : "");
    fields.add(note.told().map(at -> "" + at.attempt()).orElse(""));
    fields.add(note.told().map(JobNote.Told::text).orElse(""));
    fields.add(note.told().map(JobNote.Told::epoch).orElse(""));
    String line = String.join(" ", fields.stream().map(NoteLine::encoded).toList());
    return line + " " + checksum(line);
  }

  private static String nodes(JobNote.Began began) {
    return String.join(",", began.on().stream().map(node -> encoded(node.value())).toList());
  }

  private static String encoded(String field) {
    return field.isEmpty()
        ? NONE
        : URLEncoder.encode(field, StandardCharsets.UTF_8).replace(NONE, "%2D");
  }

  /** Returns the note; empty if the line is not whole. */
  static Optional<JobNote> read(String line) {
    int end = line.lastIndexOf(' ');
    if (end < 0 || !checksum(line.substring(0, end)).equals(line.substring(end + 1))) {
      return Optional.empty();
    }
    String[] fields =
        Arrays.stream(line.substring(0, end).split(" "))
            .map(NoteLine::decoded)
            .toArray(String[]::new);
    return fields.length == FIELDS ? Optional.of(note(fields)) : Optional.empty();
  }

  private static JobNote note(String[] fields) {
    return new JobNote(
        JobId.of(fields[0]),
        JobId.of(fields[1]),
        number(fields[2]).map(attempt -> new JobNote.Began(attempt, nodes(fields[3]), fields[4])),
        number(fields[5])
            .map(attempt -> new JobNote.Ended(attempt, ObservedState.Outcome.valueOf(fields[6]))),
        number(fields[7]).map(OptionalInt::of).orElseGet(OptionalInt::empty),
        number(fields[8]).map(attempt -> new JobNote.Told(attempt, fields[9], fields[10])));
  }

  private static List<NodeId> nodes(String field) {
    return field.isEmpty()
        ? List.of()
        : Arrays.stream(field.split(",")).map(NoteLine::decoded).map(NodeId::of).toList();
  }

  private static Optional<Integer> number(String field) {
    return field.isEmpty() ? Optional.empty() : Optional.of(Integer.valueOf(field));
  }

  private static String decoded(String field) {
    return field.equals(NONE) ? "" : URLDecoder.decode(field, StandardCharsets.UTF_8);
  }

  private static String checksum(String line) {
    CRC32C sum = new CRC32C();
    sum.update(line.getBytes(StandardCharsets.UTF_8));
    return "%08x".formatted(sum.getValue());
  }
}
