package io.github.liquidscheduler.elastic.runtime;

import static org.assertj.core.api.Assertions.assertThat;

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
}
