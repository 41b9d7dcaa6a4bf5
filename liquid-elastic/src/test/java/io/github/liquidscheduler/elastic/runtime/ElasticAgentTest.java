package io.github.liquidscheduler.elastic.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.ScalingRequest;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.lease.InMemoryLeaseStore;
import io.github.liquidscheduler.elastic.lease.Lease;
import io.github.liquidscheduler.elastic.lease.LeaseStore;
import io.github.liquidscheduler.elastic.protocol.ToWorker.StopReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Agents and training loops that speak over real sockets. */
@Timeout(240)
class ElasticAgentTest {
  private static final int SAMPLES = 2000;

  private final InMemoryLeaseStore store = new InMemoryLeaseStore(InstantSource.system());
  private final BlockingQueue<ScalingAnswer> answers = new LinkedBlockingQueue<>();
  private final List<ElasticAgent> agents = new ArrayList<>();

  @AfterEach
  void close() {
    agents.forEach(ElasticAgent::close);
  }

  @Test
  void eachSampleCountsOnce() throws Exception {
    ElasticAgent agent = agent(2);
    TrainingLoop ann = new TrainingLoop(agent.port(), "ann");
    TrainingLoop bob = new TrainingLoop(agent.port(), "bob");

    assertThat(ann.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);
    bob.awaitEnd();

    assertCountedOnce(ann, bob);
    agent.end().join();
  }

  @Test
  void aWorkerLeavesGracefullyAndTheOthersReadItsRest() throws Exception {
    ElasticAgent agent = agent(2);
    TrainingLoop ann = new TrainingLoop(agent.port(), "ann");
    TrainingLoop bob = new TrainingLoop(agent.port(), "bob");
    bob.awaitApplied(10);

    bob.leave();

    assertThat(bob.awaitEnd().reason()).isEqualTo(StopReason.REMOVED);
    ann.awaitEnd();
    assertCountedOnce(ann, bob);
    assertThat(agent.mayBeSeenTwice()).isEmpty();
  }

  @Test
  void aClusterSchedulerScalesTheJob() throws Exception {
    ElasticAgent agent = agent(1);
    TrainingLoop ann = new TrainingLoop(agent.port(), "ann");
    ann.awaitApplied(5);

    agent.request(new ScalingRequest.ScaleOut("grow", List.of(WorkerId.of("bob"))));
    answer(new ScalingAnswer.Accepted("grow")::equals);
    TrainingLoop bob = new TrainingLoop(agent.port(), "bob");

    answer(answer -> answer instanceof ScalingAnswer.Switched s && s.id().equals("grow"));
    ann.awaitEnd();
    bob.awaitEnd();
    assertCountedOnce(ann, bob);
  }

  @Test
  void aLeaderThatClosesHandsOver() throws Exception {
    ElasticAgent first = agent(2);
    TrainingLoop ann = new TrainingLoop(first.port(), "ann");
    awaitLeading(first);
    ElasticAgent second = agent(2);
    TrainingLoop bob = new TrainingLoop(second.port(), "bob");
    bob.awaitApplied(10);
    assertThat(first.isLeading()).isTrue();
    ann.leave();
    ann.awaitEnd();

    first.close();
    agents.remove(first);

    assertThat(bob.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);
    assertCountedOnce(ann, bob);
    assertThat(second.isLeading()).isTrue();
  }

  @Test
  void anAgentMayBeClosedByWhoeverItAnswers() throws Exception {
    CompletableFuture<ElasticAgent> started = new CompletableFuture<>();
    ElasticAgent agent = agent(1, answer -> started.join().close());
    started.complete(agent);

    agent.request(new ScalingRequest.Cancel("nothing"));

    agent.end().join();
    assertThat(agent.isLeading()).isFalse();
    assertThat(agent.mayBeSeenTwice()).isEmpty();
  }

  @Test
  void aClosedAgentRefusesToAskTheJobToScale() throws Exception {
    ElasticAgent agent = agent(1);
    agent.close();

    assertThatIllegalStateException()
        .isThrownBy(() -> agent.request(new ScalingRequest.ScaleOut("grow-1", List.of())))
        .withMessage(
            "a closed agent cannot ask the job to scale (request 'grow-1'); another agent of the"
                + " job can");
    agents.remove(agent);
  }

  @Test
  void whoConnectsWhileTheAgentClosesIsDisconnected() throws Exception {
    for (int i = 0; i < 20; i++) {
      ElasticAgent agent = agent(1);
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), agent.port())) {
        agent.close();
        assertThat(hasEnded(socket)).isTrue();
      }
    }
  }

  /** A connection that the closed agent never accepted is reset instead. */
  private static boolean hasEnded(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  @Test
  void anAgentThatFailsGivesItsLeaseBack() throws Exception {
    AssertionError mistake = new AssertionError("broken");
    ElasticAgent agent =
        agent(
            1,
            answer -> {
              throw mistake;
            });
    while (!agent.isLeading()) {
      Thread.onSpinWait();
    }

    agent.request(new ScalingRequest.Cancel("nothing"));

    assertThat(agent.end())
        .failsWithin(10, TimeUnit.SECONDS)
        .withThrowableThat()
        .withCause(mistake);
    assertThat(store.read("job")).isEmpty();
    assertThat(agent.isLeading()).isFalse();
  }

  @Test
  void aSavedStateThatCannotBeReadEndsTheAgentInOneSentence() throws Exception {
    Lease lease = store.acquire("job", "127.0.0.1:1", Duration.ofMinutes(1)).orElseThrow();
    store.save(lease, "{\"replica\":null}");
    store.release(lease);

    ElasticAgent agent = agent(1);

    assertThat(agent.end())
        .failsWithin(10, TimeUnit.SECONDS)
        .withThrowableThat()
        .withMessageContaining("what was saved of job cannot be read")
        .withMessageContaining("delete it to start from a checkpoint");
    assertThat(store.read("job")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nowhere", "host:", "host:x", ":-1", "127.0.0.1:70000"})
  void anAddressThatIsNoneInTheStoreIsNoFailure(String holder) throws Exception {
    Lease lease = store.acquire("job", holder, Duration.ofMinutes(1)).orElseThrow();
    ElasticAgent agent = agent(1);
    TrainingLoop ann = new TrainingLoop(agent.port(), "ann");
    assertThat(agent.isLeading()).isFalse();

    store.release(lease);

    assertThat(ann.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);
  }

  @Test
  void agentsAreReachedUnderAddressesOfTheSixthVersion() throws Exception {
    byte[] one = new byte[16];
    one[15] = 1;
    InetAddress loopback = InetAddress.getByAddress(one);
    assumeTrue(loopback.isReachable(1000), "needs IPv6");
    ElasticAgent agent =
        ElasticAgent.start(job(1, store), new InetSocketAddress(loopback, 0), answers::add);
    agents.add(agent);

    TrainingLoop ann = new TrainingLoop(loopback, agent.port(), "ann");

    assertThat(ann.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);
  }

  @Test
  void whatWasSavedIsAskedForAgainIfTheStoreDidNotAnswer() throws Exception {
    AtomicBoolean asked = new AtomicBoolean();
    LeaseStore silentOnce =
        (LeaseStore)
            Proxy.newProxyInstance(
                LeaseStore.class.getClassLoader(),
                new Class<?>[] {LeaseStore.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("load") && !asked.getAndSet(true)) {
                    throw new UncheckedIOException(new IOException("no answer"));
                  }
                  return method.invoke(store, arguments);
                });
    ElasticAgent agent = start(job(1, silentOnce), answers::add);

    TrainingLoop ann = new TrainingLoop(agent.port(), "ann");

    assertThat(ann.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);
  }

  @Test
  void anAgentThatIsClosedDoesNotLeadAgain() throws Exception {
    ElasticAgent agent = agent(1);
    awaitLeading(agent);

    agent.close();

    assertThat(store.read("job")).isEmpty();
  }

  @Test
  void anAgentEndsThoughAnotherProcessBreaksOffAfterTheJobHasFinished() throws Exception {
    ElasticAgent agent = agent(1);
    TrainingLoop ann = new TrainingLoop(agent.port(), "ann");
    ann.awaitApplied(5);
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), agent.port())) {
      socket
          .getOutputStream()
          .write("{\"type\":\"Join\",\"worker\":\"bob\",\"token\":null}\n".getBytes(UTF_8));
    }

    assertThat(ann.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);

    assertThat(agent.end()).succeedsWithin(10, TimeUnit.SECONDS);
  }

  private ElasticAgent agent(int initialWorkers) throws IOException {
    return agent(initialWorkers, answers::add);
  }

  private ElasticAgent agent(int initialWorkers, Consumer<ScalingAnswer> heard) throws IOException {
    return start(job(initialWorkers, store), heard);
  }

  private ElasticAgent start(TrainingJob job, Consumer<ScalingAnswer> heard) throws IOException {
    ElasticAgent agent =
        ElasticAgent.start(job, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), heard);
    agents.add(agent);
    return agent;
  }

  private static TrainingJob job(int initialWorkers, LeaseStore store) {
    ElasticOptions options =
        ElasticOptions.builder()
            .initialWorkers(initialWorkers)
            .leaseRenewal(Duration.ofMillis(300))
            .allowance(Duration.ofMillis(1))
            .build();
    return new TrainingJob("job", store, new Partitioning(SAMPLES, 40, 1, 0), options);
  }

  /** An agent asks for the lease on a thread of its own, so that one started later may be first. */
  private static void awaitLeading(ElasticAgent agent) {
    while (!agent.isLeading()) {
      Thread.onSpinWait();
    }
  }

  private void answer(Predicate<ScalingAnswer> awaited) throws InterruptedException {
    while (!awaited.test(answers.take())) {
      // Others are of no interest.
    }
  }

  private static void assertCountedOnce(TrainingLoop... loops) {
    int[] counts = new int[SAMPLES];
    for (TrainingLoop loop : loops) {
      for (SampleRange range : loop.applied()) {
        IntStream.range((int) range.from(), (int) range.to()).forEach(sample -> counts[sample]++);
      }
    }
    assertThat(counts).containsOnly(1);
  }
}
