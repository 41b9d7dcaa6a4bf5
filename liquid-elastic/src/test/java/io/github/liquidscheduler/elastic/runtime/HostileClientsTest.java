package io.github.liquidscheduler.elastic.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.elastic.ElasticOptions;
import io.github.liquidscheduler.elastic.Partitioning;
import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.lease.InMemoryLeaseStore;
import io.github.liquidscheduler.elastic.lease.Lease;
import io.github.liquidscheduler.elastic.protocol.ToWorker.StopReason;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a client does, it loses its connection and nothing else. */
@Timeout(120)
class HostileClientsTest {
  private static final int SAMPLES = 1000;
  private static final int CLIENTS = 50;
  private static final String TOKEN = "a token that both sides share";

  private final InMemoryLeaseStore store = new InMemoryLeaseStore(InstantSource.system());
  private final Queue<ScalingAnswer> answers = new ConcurrentLinkedQueue<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void aJobGoesOnAndEndsWhileHostileClientsSend5000Lines() throws Exception {
    endureStorm(5_000);
  }

  @Test
  @Tag("slow")
  void aJobGoesOnAndEndsWhileHostileClientsSend100000Lines() throws Exception {
    endureStorm(100_000);
  }

  /** The honest workers report a mini-batch for each so many lines that the others have sent. */
  private void endureStorm(long lines) throws Exception {
    ElasticAgent agent = agent(options().token(TOKEN));
    Lease lease = awaitLease();
    int each = (int) lines * 2 / SAMPLES;
    Semaphore sent = new Semaphore(5 * each);
    CountDownLatch over = new CountDownLatch(CLIENTS);
    LongConsumer pace = step -> sent.acquireUninterruptibly(each);
    TrainingLoop ann = new TrainingLoop(agent.port(), "ann", TOKEN, pace);
    TrainingLoop bob = new TrainingLoop(agent.port(), "bob", TOKEN, step -> {});
    ann.awaitApplied(1);

    for (int client = 0; client < CLIENTS; client++) {
      HostileClient hostile =
          new HostileClient(
              agent.port(), TOKEN, List.of("ann", "bob"), client, lines / CLIENTS, sent);
      Thread.ofVirtual()
          .start(
              () -> {
                hostile.run();
                over.countDown();
              });
    }

    over.await();
    sent.release(Integer.MAX_VALUE / 2);
    assertThat(ann.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);
    assertThat(bob.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);
    agent.end().get(10, TimeUnit.SECONDS);
    assertThat(store.read("job")).contains(lease);
    assertThat(answers)
        .doesNotContain(
            new ScalingAnswer.Evicted(WorkerId.of("ann")),
            new ScalingAnswer.Evicted(WorkerId.of("bob")));
    assertCountedOnce(ann, bob);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "null",
        "{'type':'Join'}",
        "{'type':'ForLeader'}",
        "{'type':'Request'}",
        "{'type':'ForLeader','message':{'type':'Lost'}}",
        "{'type':'ForLeader','message':{'type':'Lost','worker':'ann'}}",
        "{'type':'Ready'}",
        "{'type':'ForWorker','worker':'ann','message':{'type':'Stop','term':9,'reason':'REMOVED',"
            + "'step':1}}",
        "{'type':'Answer','answer':{'type':'Finished','steps':7}}",
        "{'type':'Join','worker':'ann','token':null}",
        "{'type':'Join','worker':'cem','token':null}\n{'type':'Join','worker':'dan','token':null}",
        "{'type':'Join','worker':'cem','token':null}\n"
            + "{'type':'Request','request':{'type':'ScaleIn','id':'in','workers':['ann']}}",
        "{'type':'Hello','agent':'x','token':null}\n"
            + "{'type':'ForLeader','message':{'type':'Lost','worker':'ann'}}",
        "{'type':'Hello','agent':'x','token':null}\n{'type':'ForLeader','message':"
            + "{'type':'Register','worker':'ann','replica':null,'loaded':true}}",
      })
  void aFaultClosesTheConnectionAndTheJobGoesOn(String lines) throws Exception {
    ElasticAgent agent = agent(options());
    CountDownLatch held = new CountDownLatch(1);
    TrainingLoop ann = new TrainingLoop(agent.port(), "ann", null, step -> await(step, held));
    TrainingLoop bob = new TrainingLoop(agent.port(), "bob");
    ann.awaitApplied(10);
    Socket socket = socket(agent);

    send(socket, lines.replace('\'', '"') + "\n");

    awaitClosed(socket);
    held.countDown();
    assertThat(ann.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);
    assertThat(bob.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);
    agent.end().get(10, TimeUnit.SECONDS);
    assertCountedOnce(ann, bob);
  }

  @Test
  void whoDoesNotKnowTheTokenIsDisconnected() throws Exception {
    ElasticAgent agent = agent(options().token(TOKEN));

    for (String token : List.of("null", "''", "'A token that both sides share'")) {
      Socket socket = socket(agent);
      send(
          socket,
          "{'type':'Join','worker':'ann','token':%s}\n".formatted(token).replace('\'', '"'));
      awaitClosed(socket);
    }
  }

  @Test
  void aLineWithoutEndClosesTheConnection() throws Exception {
    ElasticAgent agent = agent(options().maxLineBytes(1000));
    Socket socket = socket(agent);

    send(socket, "x".repeat(1001));

    awaitClosed(socket);
  }

  @Test
  void whoNeverSaysWhoItIsIsDisconnected() throws Exception {
    ElasticAgent agent = agent(options().silenceTimeout(Duration.ofMillis(100)));
    Socket socket = socket(agent);

    awaitClosed(socket);
  }

  @Test
  void whoHasJoinedMayBeSilent() throws Exception {
    ElasticAgent agent = agent(options().silenceTimeout(Duration.ofMillis(100)));
    Socket joined = socket(agent);
    send(joined, "{\"type\":\"Join\",\"worker\":\"ann\",\"token\":null}\n");

    for (int i = 0; i < 3; i++) {
      awaitClosed(socket(agent));
    }

    send(joined, "{\"type\":\"Leave\"}\n{\"type\":\"Ready\"}\n");
    joined.setSoTimeout(200);
    assertThat(isOpen(joined)).isTrue();
  }

  @Test
  void whoeverHasNotSaidWhoItIsGivesWay() throws Exception {
    ElasticAgent agent = agent(options().maxConnections(3));
    awaitLease();
    Socket first = socket(agent);
    Socket second = socket(agent);

    TrainingLoop ann = new TrainingLoop(agent.port(), "ann");
    awaitClosed(first);
    TrainingLoop bob = new TrainingLoop(agent.port(), "bob");
    awaitClosed(second);

    assertThat(ann.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);
    assertThat(bob.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);
  }

  @Test
  void whoDoesNotReadIsDisconnected() throws Exception {
    ElasticAgent agent = agent(options().maxQueuedBytes(100_000));
    awaitLease();
    Socket deaf = socket(agent);
    send(deaf, "{\"type\":\"Hello\",\"agent\":\"deaf\",\"token\":null}\n");
    String request =
        "{\"type\":\"Request\",\"request\":{\"type\":\"Cancel\",\"id\":\"%s\"}}\n"
            .formatted("x".repeat(1000));

    while (isSent(deaf, request)) {
      // Each is answered, which it does not read.
    }

    TrainingLoop ann = new TrainingLoop(agent.port(), "ann");
    TrainingLoop bob = new TrainingLoop(agent.port(), "bob");
    assertThat(ann.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);
    assertThat(bob.awaitEnd().reason()).isEqualTo(StopReason.FINISHED);
  }

  private static boolean isSent(Socket socket, String line) {
    try {
      send(socket, line);
      return true;
    } catch (IOException closed) {
      return false;
    }
  }

  private static void await(long step, CountDownLatch held) {
    try {
      if (step > 20) {
        held.await();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static ConnectionOptions.Builder options() {
    return ConnectionOptions.builder();
  }

  private ElasticAgent agent(ConnectionOptions.Builder connections) throws IOException {
    ElasticOptions options =
        ElasticOptions.builder()
            .initialWorkers(2)
            .allowance(Duration.ofMillis(1))
            .leaseTimeToLive(Duration.ofSeconds(30))
            .leaseRenewal(Duration.ofMillis(300))
            .suspectAfter(Duration.ofMinutes(1))
            .build();
    TrainingJob job =
        new TrainingJob(
            "job", store, new Partitioning(SAMPLES, 40, 1, 0), options, connections.build());
    InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ElasticAgent agent = ElasticAgent.start(job, loopback, answers::add);
    open.add(agent);
    return agent;
  }

  private Lease awaitLease() {
    while (store.read("job").isEmpty()) {
      Thread.onSpinWait();
    }
    return store.read("job").orElseThrow();
  }

  private Socket socket(ElasticAgent agent) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), agent.port());
    socket.setSoTimeout(60_000);
    open.add(socket);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(UTF_8));
  }

  private static void awaitClosed(Socket socket) throws IOException {
    try {
      while (socket.getInputStream().read() >= 0) {
        // What was sent before.
      }
    } catch (SocketException reset) {
      // Closed at once.
    }
  }

  private static boolean isOpen(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() >= 0;
    } catch (SocketTimeoutException nothingToSay) {
      return true;
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
