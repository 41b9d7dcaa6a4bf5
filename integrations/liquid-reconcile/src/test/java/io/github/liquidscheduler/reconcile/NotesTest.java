package io.github.liquidscheduler.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.JobId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NotesTest {
  private static final JobId JOB = JobId.of("12_3");
  private static final JobNote ALL =
      new JobNote(
          JOB,
          JobId.of("12_3#2"),
          Optional.of(Instant.parse("2026-01-01T12:00:00Z")),
          Optional.of(
              new JobNote.Began(2, List.of(NodeId.of("gpu-1"), NodeId.of("a b,c")), "boot 7")),
          Optional.of(new JobNote.Ended(1, ObservedState.Outcome.OUT_OF_MEMORY)),
          OptionalInt.of(1),
          Optional.of(new JobNote.Told(0, "no - such\nthing", "boot 6")));

  @TempDir private Path folder;

  @Test
  void notesOutliveTheProcess() {
    try (Notes notes = Notes.open(folder)) {
      notes.write(List.of(ALL));
    }
    try (Notes notes = Notes.open(folder)) {
      assertThat(notes.of(JOB)).isEqualTo(ALL);
      assertThat(notes.byOwnId(JobId.of("12_3#2"))).isEqualTo(JOB);
    }
  }

  @Test
  void theLastNoteOfAJobCounts() {
    JobNote later = ALL.moves(2);
    try (Notes notes = Notes.open(folder)) {
      notes.write(List.of(ALL));
      notes.write(List.of(later));
    }
    try (Notes notes = Notes.open(folder)) {
      assertThat(notes.of(JOB)).isEqualTo(later);
    }
  }

  @Test
  void aLineThatWasCutOffAnywhereIsDropped() throws IOException {
    JobNote other = new JobNote(JobId.of("7")).moves(3);
    try (Notes notes = Notes.open(folder)) {
      notes.write(List.of(other));
    }
    Path file = folder.resolve(Notes.FILE);
    String whole = Files.readString(file);
    String line = Notes.NoteLine.write(ALL);
    for (int length = 0; length < line.length(); length++) {
      Files.writeString(file, whole + line.substring(0, length));
      try (Notes notes = Notes.open(folder)) {
        assertThat(notes.of(JobId.of("7"))).isEqualTo(other);
        assertThat(notes.of(JOB)).isEqualTo(new JobNote(JOB));
      }
    }
  }

  @Test
  void aCorruptLineIsRefused() throws IOException {
    Files.writeString(
        folder.resolve(Notes.FILE), Notes.NoteLine.write(ALL).replace("gpu", "cpu") + "\n");
    assertThatThrownBy(() -> Notes.open(folder))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("line 1");
  }

  @Test
  void notesOfForgottenJobsAreDropped() {
    try (Notes notes = Notes.open(folder)) {
      notes.write(List.of(ALL, new JobNote(JobId.of("7")).moves(3)));
      notes.drop(JOB::equals);
    }
    try (Notes notes = Notes.open(folder)) {
      assertThat(notes.of(JOB)).isEqualTo(new JobNote(JOB));
      assertThat(notes.of(JobId.of("7")).moved()).hasValue(3);
    }
  }

  @Test
  void aLaterAttemptStaysNotedThoughTheManagerHasForgottenIt() {
    JobNote.Began earlier = new JobNote.Began(1, List.of(NodeId.of("x")), "boot 8");
    assertThat(ALL.begins(earlier)).isEqualTo(ALL);
  }

  @Test
  void aFullDiskTearsNoLine() throws Exception {
    assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder.toString()) == 0);
    try {
      int kept = 0;
      Path filler = Files.write(folder.resolve("filler"), new byte[40_000]);
      try (Notes notes = Notes.open(folder)) {
        try {
          for (; kept < 1000; kept++) {
            notes.write(List.of(new JobNote(JobId.of("a-job-with-a-long-name-" + kept)).moves(1)));
          }
        } catch (UncheckedIOException e) {
          Files.delete(filler);
        }
        notes.write(List.of(ALL));
      }
      try (Notes notes = Notes.open(folder)) {
        assertThat(kept).isLessThan(1000);
        assertThat(notes.of(JOB)).isEqualTo(ALL);
        JobId last = JobId.of("a-job-with-a-long-name-" + (kept - 1));
        assertThat(notes.of(last).moved()).hasValue(1);
      }
    } finally {
      run("umount", folder.toString());
    }
  }

  private static int run(String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command).start().waitFor();
  }
}
