package io.github.liquidscheduler.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.json.JournalDirectory;
import io.github.liquidscheduler.json.JournalDirectory.Recovery;
import io.github.liquidscheduler.json.JournalHeader;
import io.github.liquidscheduler.json.JsonFormatException;
import io.github.liquidscheduler.scheduler.LiquidScheduler;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.SchedulerSnapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a crash leaves of a directory of journals, nothing that was forced is lost. */
class JournalDirectoryTest {

  @TempDir private Path folder;
  private JournalDirectory journals;
  private LiquidScheduler scheduler;
  private final List<SchedulerSnapshot> states = new ArrayList<>();
  private Path first;
  private Path second;

  /** Journals five events in a segment, and four in the next. */
  @BeforeEach
  void run() {
    journals = JournalDirectory.lock(folder.resolve("journals"));
    scheduler = JournaledRun.scheduler();
    first = journals.rotate(scheduler);
    states.add(scheduler.snapshot());
    take(5);
    second = journals.rotate(scheduler);
    take(4);
  }

  @AfterEach
  void stop() {
    journals.close();
  }

  private void take(int events) {
    for (int i = 0; i < events; i++) {
      ClusterEvent event = JournaledRun.event(states.size());
      journals.append(event, scheduler.on(event));
      journals.force();
      states.add(scheduler.snapshot());
    }
  }

  private Recovery<LiquidScheduler> recover() {
    return journals.recover(JournaledRun::restored).orElseThrow();
  }

  @Test
  void theStateIsThatAfterTheLastEvent() {
    Recovery<LiquidScheduler> recovered = recover();

    assertThat(recovered.scheduler().snapshot()).isEqualTo(states.getLast());
    assertThat(recovered.events()).isEqualTo(4);
    assertThat(recovered.segment()).isEqualTo(second);
    assertThat(recovered.notes()).isEmpty();
    assertThat(journals.events()).isEqualTo(4);
  }

  @Test
  void whereverTheLastWriteIsCutOffTheWholeLinesBeforeItCount() throws IOException {
    byte[] all = Files.readAllBytes(second);
    int header = firstLine(all);
    for (int end = header; end <= all.length; end++) {
      Files.write(second, Arrays.copyOf(all, end));
      int lines = eventsIn(new String(all, header, end - header, StandardCharsets.UTF_8));

      Recovery<LiquidScheduler> recovered = recover();

      assertThat(recovered.scheduler().snapshot())
          .as("cut off after %d bytes", end)
          .isIn(states.get(5 + lines), states.get(Math.min(9, 6 + lines)));
      assertThat(recovered.events()).isBetween((long) lines, lines + 1L);
      boolean isAtEndOfLine = all[end - 1] == '\n' || (end < all.length && all[end] == '\n');
      assertThat(recovered.isCutOff()).isEqualTo(!isAtEndOfLine);
      assertThat(recovered.notes()).hasSize(isAtEndOfLine ? 0 : 1);
    }
  }

  private static int eventsIn(String lines) {
    return (int)
        lines
            .substring(0, lines.lastIndexOf('\n') + 1)
            .lines()
            .filter(line -> !line.startsWith("{\"type\":\"decisions\""))
            .count();
  }

  @Test
  void whateverIsThereOfASegmentThatIsBegunTheOneBeforeItCounts() throws IOException {
    Path third = journals.rotate(scheduler);
    byte[] all = Files.readAllBytes(third);
    Files.delete(third);
    Path unfinished = third.resolveSibling(third.getFileName() + ".unfinished");
    for (int end = 0; end <= all.length; end += 97) {
      Files.write(unfinished, Arrays.copyOf(all, end));

      assertThat(recover().segment()).isEqualTo(second);
      assertThat(recover().scheduler().snapshot()).isEqualTo(states.getLast());
    }
    assertThat(journals.rotate(scheduler)).isEqualTo(third);
    assertThat(recover().segment()).isEqualTo(third);
    assertThat(recover().scheduler().snapshot()).isEqualTo(states.getLast());
    assertThat(unfinished).doesNotExist();
  }

  @Test
  void ofACorruptSnapshotTheOneBeforeItIsUsedAndThatIsSaid() throws IOException {
    byte[] all = Files.readAllBytes(second);
    for (int at = 0; at < firstLine(all); at += 53) {
      byte[] corrupt = all.clone();
      corrupt[at] ^= 1;
      Files.write(second, corrupt);

      Recovery<LiquidScheduler> recovered = recover();

      assertThat(recovered.scheduler().snapshot()).isEqualTo(states.get(5));
      assertThat(recovered.corrupt()).containsExactly(second);
      assertThat(recovered.notes())
          .singleElement()
          .asString()
          .contains(second.toString(), first.toString(), "corrupt");
      assertThat(JournalDirectory.newest(folder.resolve("journals"))).hasValue(first);
    }
    assertThat(journals.prune(1)).isZero();
    assertThat(journals.rotate(recover().scheduler()).toString()).contains("000003");
    assertThat(journals.prune(2)).isZero();
    assertThat(journals.prune(1)).isEqualTo(2);
  }

  @Test
  void ifNoSnapshotReadsTheNewestIsRefused() throws IOException {
    for (Path segment : List.of(first, second)) {
      byte[] corrupt = Files.readAllBytes(segment);
      corrupt[9] ^= 1;
      Files.write(segment, corrupt);
    }

    assertThatThrownBy(this::recover)
        .isInstanceOf(JsonFormatException.class)
        .hasMessageContaining(second.toString());
    assertThat(journals.prune(1)).isZero();
  }

  @Test
  void aCorruptLineBehindTheSnapshotIsRefused() throws IOException {
    byte[] corrupt = Files.readAllBytes(second);
    corrupt[firstLine(corrupt) + 20] ^= 1;
    Files.write(second, corrupt);

    assertThatThrownBy(this::recover)
        .isInstanceOf(JsonFormatException.class)
        .hasMessageContaining("check sum");
  }

  private static int firstLine(byte[] file) {
    return new String(file, StandardCharsets.ISO_8859_1).indexOf('\n') + 1;
  }

  @Test
  void aCutOffLineIsStillDroppedWhenALaterSnapshotIsCorrupt() throws IOException {
    byte[] all = Files.readAllBytes(second);
    Files.write(second, Arrays.copyOf(all, all.length - 3));
    LiquidScheduler restarted = recover().scheduler();
    Path third = journals.rotate(restarted);
    Files.write(third, new byte[] {'{'});

    assertThat(recover().scheduler().snapshot()).isEqualTo(restarted.snapshot());
    assertThat(recover().notes()).hasSize(2);
  }

  @Test
  void whatWasDecidedOtherwiseIsRefused() {
    journals.append(JournaledRun.event(10), List.of());
    journals.append(JournaledRun.event(11), List.of());
    journals.force();

    assertThatIllegalStateException()
        .isThrownBy(this::recover)
        .withMessageContaining(second.toString())
        .withMessageContaining("recorded was");
  }

  @Test
  void nothingIsRecoveredFromAnEmptyDirectory() {
    Path other = folder.resolve("other");
    try (JournalDirectory empty = JournalDirectory.lock(other)) {
      assertThat(empty.recover(JournaledRun::restored)).isEmpty();
      assertThat(JournalDirectory.newest(other)).isEmpty();
      assertThat(empty.prune(1)).isZero();
      assertThatIllegalStateException()
          .isThrownBy(() -> empty.append(JournaledRun.event(1), List.of()))
          .withMessageContaining("rotate");
      assertThatIllegalStateException().isThrownBy(empty::force);
      JournalHeader withoutState = JournalHeader.builder(scheduler).build();
      assertThatIllegalArgumentException().isThrownBy(() -> empty.rotate(withoutState));
    }
  }

  @Test
  void pruningKeepsTheNewestSegments() throws IOException {
    journals.rotate(scheduler);
    Path fourth = journals.rotate(scheduler);

    assertThat(journals.prune(5)).isZero();
    assertThat(journals.prune(2)).isEqualTo(2);
    assertThat(journals.prune(1)).isEqualTo(1);

    try (Stream<Path> left = Files.list(fourth.getParent())) {
      assertThat(left.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("lock", fourth.getFileName().toString());
    }
    assertThat(recover().scheduler().snapshot()).isEqualTo(states.getLast());
    assertThatIllegalArgumentException().isThrownBy(() -> journals.prune(0));
  }

  @Test
  void aSegmentThatCannotBeBegunLeavesTheOneBeforeItInUse() throws IOException {
    Path inTheWay = second.resolveSibling("journal-000000000003.jsonl.unfinished");
    Files.createDirectories(inTheWay.resolve("file"));

    assertThatThrownBy(() -> journals.rotate(scheduler)).isInstanceOf(UncheckedIOException.class);
    take(1);

    assertThat(recover().segment()).isEqualTo(second);
    assertThat(recover().scheduler().snapshot()).isEqualTo(states.getLast());
  }

  @Test
  void aSecondOpenerInThisProcessIsRefused() {
    Path same = folder.resolve("journals").resolve("..").resolve("journals");

    for (int i = 0; i < 2; i++) {
      assertThatIllegalStateException()
          .isThrownBy(() -> JournalDirectory.lock(same))
          .withMessageContaining("this process")
          .withMessageContaining(same.toString());
    }
    journals.close();
    journals = JournalDirectory.lock(same);
    assertThat(recover().scheduler().snapshot()).isEqualTo(states.getLast());
  }

  @Test
  void aDirectoryIsLockedOnceAndReleasedOnce() {
    journals.close();
    journals.close();
    Optional<Path> newest = JournalDirectory.newest(folder.resolve("journals"));

    assertThat(newest).hasValue(second);
    journals = JournalDirectory.lock(folder.resolve("journals"));
  }
}
