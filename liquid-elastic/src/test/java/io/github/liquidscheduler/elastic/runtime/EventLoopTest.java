package io.github.liquidscheduler.elastic.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class EventLoopTest {
  @Test
  void anErrorThatEndsTheLoopIsTold() {
    CompletableFuture<Throwable> told = new CompletableFuture<>();
    EventLoop loop = new EventLoop(told::complete);
    AssertionError mistake = new AssertionError("broken");

    loop.submit(
        () -> {
          throw mistake;
        });
    loop.start("event loop under test");

    assertThat(told).succeedsWithin(10, TimeUnit.SECONDS).isSameAs(mistake);
  }

  @Test
  void whoAsksALoopThatHasEndedIsAnswered() {
    EventLoop loop = new EventLoop(mistake -> {});
    loop.start("event loop under test");
    loop.submit(loop::stop);
    loop.ask(() -> "the last turn");

    assertThat(CompletableFuture.supplyAsync(() -> loop.ask(() -> "after it")))
        .succeedsWithin(10, TimeUnit.SECONDS)
        .isEqualTo("after it");
    assertThat(loop.submit(() -> {})).isFalse();
  }

  @Test
  void whatWasSubmittedBeforeTheEndIsDone() {
    EventLoop loop = new EventLoop(mistake -> {});
    CompletableFuture<String> done = new CompletableFuture<>();
    loop.submit(loop::stop);
    loop.submit(() -> done.complete("done"));

    loop.start("event loop under test");

    assertThat(done).succeedsWithin(10, TimeUnit.SECONDS);
  }

  @Test
  void aQuestionThatFailsIsItsAskersAffairAndTheLoopGoesOn() {
    EventLoop loop = new EventLoop(mistake -> {});
    loop.start("event loop under test");

    assertThatThrownBy(
            () ->
                loop.ask(
                    () -> {
                      throw new IllegalStateException("no answer");
                    }))
        .hasRootCauseMessage("no answer");
    assertThat(loop.ask(() -> loop.ask(() -> 7))).isEqualTo(7);
  }
}
