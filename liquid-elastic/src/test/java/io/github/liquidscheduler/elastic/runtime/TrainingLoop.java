package io.github.liquidscheduler.elastic.runtime;

import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.WorkerId;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A training process that only notes what it read and what of that counted. */
final class TrainingLoop {
  private final BlockingQueue<Frame> heard = new LinkedBlockingQueue<>();
  private final List<SampleRange> applied = new ArrayList<>();
  private final CompletableFuture<Frame.Stop> end = new CompletableFuture<>();
  private final LineConnection agent;
  private final LongConsumer pace;

  TrainingLoop(int port, String name) throws IOException {
    this(port, name, null, batches -> {});
  }

  TrainingLoop(InetAddress host, int port, String name) throws IOException {
    this(host, port, name, null, batches -> {});
  }

  /** Knows a token, and reports a mini-batch once {@code pace} has returned for its number. */
  TrainingLoop(int port, String name, @Nullable String token, LongConsumer pace)
      throws IOException {
    this(InetAddress.getLoopbackAddress(), port, name, token, pace);
  }

  private TrainingLoop(
      InetAddress host, int port, String name, @Nullable String token, LongConsumer pace)
      throws IOException {
    this.pace = pace;
    Socket socket = new Socket(host, port);
    agent =
        LineConnection.open(
            socket,
            new JsonLines(),
            new LineConnection.Bounds(1 << 20, 1 << 20, Duration.ofMinutes(1)),
            (from, frame) -> heard.add(frame),
            closed -> {});
    agent.send(new Frame.Join(WorkerId.of(name), token));
    agent.send(new Frame.Ready());
    Thread.ofVirtual().start(this::train);
  }

  void leave() {
    agent.send(new Frame.Leave());
  }

  Frame.Stop awaitEnd() {
    return end.join();
  }

  /** Returns the samples that counted. */
  synchronized List<SampleRange> applied() {
    return List.copyOf(applied);
  }

  synchronized void awaitApplied(int batches) throws InterruptedException {
    while (applied.size() < batches) {
      wait();
    }
  }

  private void train() {
    Frame.Run trained = null;
    try {
      while (true) {
        Frame frame = heard.take();
        if (frame instanceof Frame.Run run) {
          note(trained, run.committed());
          trained = run;
          pace.accept(run.step());
          agent.send(new Frame.BatchEnd(run.topology(), run.step(), 0.001));
        } else if (frame instanceof Frame.Stop stop) {
          note(trained, stop.committed());
          end.complete(stop);
          return;
        }
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void note(Frame.@Nullable Run run, boolean counts) {
    if (run != null && counts) {
      applied.add(run.batch());
      notifyAll();
    }
  }
}
