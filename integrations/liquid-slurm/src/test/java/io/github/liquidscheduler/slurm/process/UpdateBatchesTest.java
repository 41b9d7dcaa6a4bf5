package io.github.liquidscheduler.slurm.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.slurm.process.CommandRunner.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Updates that wait are carried out by one process, whose answers were recorded. */
class UpdateBatchesTest {

  /** What scontrol of 22.05 says of four updates, of which the second and third are refused. */
  private static final String SAID =
      """
      scontrol: error: a word of slurm.conf is deprecated
      invalid keyword: liquid-line-0
      invalid keyword: liquid-line-1
      Invalid job id specified for job 99
      invalid keyword: liquid-line-2
      Invalid node name specified for job 2
      invalid keyword: liquid-line-3
      invalid keyword: liquid-line-4
      """;

  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch first = new CountDownLatch(1);
  private final CountDownLatch firstRuns = new CountDownLatch(1);

  private Answer answer(List<String> command, String input, String said) {
    String words = String.join(" ", command);
    if (words.endsWith("first")) {
      firstRuns.countDown();
      await(first);
    }
    asked.add(input.isEmpty() ? words : words + ":\n" + input);
    return command.equals(List.of("scontrol"))
        ? new Answer(1, "scontrol: ", said)
        : new Answer(0, "", "alone");
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the answers to updates that all wait until another one has ended. */
  private List<Answer> together(UpdateBatches batches, String... updates) throws Exception {
    CompletableFuture<Void> before =
        CompletableFuture.runAsync(() -> run(batches, "scontrol update first"));
    firstRuns.await();
    List<FutureTask<Answer>> answers = new ArrayList<>();
    for (String update : updates) {
      FutureTask<Answer> answer = new FutureTask<>(() -> run(batches, update));
      Thread thread = Thread.ofPlatform().daemon().start(answer);
      answers.add(answer);
      while (thread.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    first.countDown();
    before.join();
    List<Answer> said = new ArrayList<>();
    for (FutureTask<Answer> answer : answers) {
      said.add(answer.get());
    }
    return said;
  }

  private static Answer run(UpdateBatches batches, String words) {
    try {
      return batches.run(List.of(words.split(" ")));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private UpdateBatches batches(String said) {
    return new UpdateBatches((command, input) -> answer(command, input, said), 1);
  }

  @Test
  void thoseThatWaitAreTheLinesOfOneProcessAndEachHasItsAnswer() throws Exception {
    List<Answer> answers =
        together(
            batches(SAID),
            "scontrol update JobId=1 StartTime=now",
            "scontrol update JobId=99 StartTime=now",
            "scontrol update JobId=2 ReqNodeList=nosuch",
            "scontrol update JobId=3 StartTime=now");

    assertThat(asked)
        .containsExactly(
            "scontrol update first",
            """
            scontrol:
            liquid-line-0
            update JobId=1 StartTime=now
            liquid-line-1
            update JobId=99 StartTime=now
            liquid-line-2
            update JobId=2 ReqNodeList=nosuch
            liquid-line-3
            update JobId=3 StartTime=now
            liquid-line-4
            """);
    assertThat(answers).extracting(Answer::status).containsExactly(0, 1, 1, 0);
    assertThat(answers.get(1).said()).isEqualTo("Invalid job id specified for job 99");
    assertThat(answers.get(2).said()).isEqualTo("Invalid node name specified for job 2");
  }

  @Test
  void ifScontrolDoesNotSayWhichLineItMeansNobodyKnowsAndLaterOnesAreToldByThemselves() {
    UpdateBatches batches = batches("scontrol: another dialect\n");
    assertThatThrownBy(() -> together(batches, "scontrol update JobId=1", "scontrol update a=2"))
        .hasStackTraceContaining("does not say what became of update JobId=1");
    asked.clear();
    run(batches, "scontrol update JobId=1");
    assertThat(asked).containsExactly("scontrol update JobId=1");
  }

  @Test
  void whatIsNoPlainUpdateHasAProcessOfItsOwn() throws Exception {
    UpdateBatches batches = batches(SAID);
    CompletableFuture<Void> before =
        CompletableFuture.runAsync(() -> run(batches, "scontrol update first"));
    first.countDown();
    before.join();
    batches.run(List.of("scontrol", "update", "JobId=1", "AdminComment=ticket 5"));
    batches.run(List.of("scontrol", "update", "JobId=1", "Comment=\"x\nupdate"));
    batches.run(List.of("scancel", "1"));

    assertThat(asked)
        .containsExactly(
            "scontrol update first",
            "scontrol update JobId=1 AdminComment=ticket 5",
            "scontrol update JobId=1 Comment=\"x\nupdate",
            "scancel 1");
  }

  @Test
  void ifTheProcessFailsNobodyKnowsWhatBecameOfItsUpdates() {
    UpdateBatches batches =
        new UpdateBatches(
            (command, input) -> {
              throw new IOException("scontrol must end within PT30S, but has not");
            },
            2);
    assertThatThrownBy(() -> batches.run(List.of("scontrol", "update", "JobId=1")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("must end within");
  }
}
