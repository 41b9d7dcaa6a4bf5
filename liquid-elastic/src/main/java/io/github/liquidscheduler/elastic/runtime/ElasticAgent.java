package io.github.liquidscheduler.elastic.runtime;

import io.github.liquidscheduler.elastic.SampleRange;
import io.github.liquidscheduler.elastic.ScalingAnswer;
import io.github.liquidscheduler.elastic.ScalingRequest;
import io.github.liquidscheduler.elastic.lease.Lease;
import io.github.liquidscheduler.elastic.protocol.ToLeader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The control layer of an elastic job on one machine.
 *
 * <p>Each machine of the job has one. Training processes connect to it over loopback; it connects
 * to whichever agent leads, which may be itself. When the leader dies another one takes over. All
 * state is touched by one thread; the store is called on it too. Methods may be called from any
 * thread.
 */
public final class ElasticAgent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ElasticAgent.class);
  private static final Duration TICK = Duration.ofMillis(50);
  private static final int ELECTIONS_PER_RENEWAL = 3;
  private static final int CONNECT_MILLIS = 1000;

  private final TrainingJob job;
  private final ServerSocket server;
  private final EventLoop loop = new EventLoop(this::failed);
  private final JsonLines json = new JsonLines();
  private final LineConnection.Bounds bounds;
  private final Peers peers;

  /** What this agent is known by to others: nobody else can guess it. */
  private final String name = UUID.randomUUID().toString();

  private final CompletableFuture<Void> end = new CompletableFuture<>();
  private final Consumer<ScalingAnswer> answers;
  private final Leadership leadership;
  private final HostedWorkers hosted = new HostedWorkers(this::toLeader);
  private @Nullable LineConnection toLeader;
  private @Nullable Lease following;

  /** The leader that could not be reached last, which is logged once. */
  private @Nullable Lease unreachable;

  private boolean closing;

  private ElasticAgent(
      TrainingJob job, ServerSocket server, String host, Consumer<ScalingAnswer> answers) {
    this.job = job;
    this.server = server;
    this.answers = answers;
    peers = new Peers(job.connections());
    bounds = job.connections().bounds(job.partitioning());
    String address = host + ":" + server.getLocalPort();
    leadership = new Leadership(job, address, monotonic(), json);
  }

  /**
   * Starts an agent.
   *
   * @param job what all agents of the job are told alike
   * @param address where training processes and other agents reach it; port 0 picks a free one
   * @param answers gets what the job tells the cluster scheduler, on the agent's thread
   * @throws IOException if the address cannot be listened on
   */
  public static ElasticAgent start(
      TrainingJob job, InetSocketAddress address, Consumer<ScalingAnswer> answers)
      throws IOException {
    ServerSocket server = new ServerSocket();
    server.bind(address);
    ElasticAgent agent = new ElasticAgent(job, server, address.getHostString(), answers);
    agent.begin();
    return agent;
  }

  /** Returns the port that training processes connect to. */
  public int port() {
    return server.getLocalPort();
  }

  /**
   * Asks the job to scale; what becomes of it is answered to every agent.
   *
   * @throws IllegalStateException if this agent is closed, so that nobody would hear of it
   */
  public void request(ScalingRequest request) {
    if (!loop.submit(() -> ask(request))) {
      throw new IllegalStateException(
          "a closed agent cannot ask the job to scale (request '%s'); another agent of the job can"
              .formatted(request.id()));
    }
  }

  private void ask(ScalingRequest request) {
    if (toLeader != null) {
      toLeader.send(new Frame.Request(request));
    } else {
      answers.accept(new ScalingAnswer.Retry(request.id()));
    }
  }

  /** Lets the training processes of this machine exit gracefully. */
  public void leave() {
    loop.submit(hosted::leaveAll);
  }

  /**
   * Returns a future that completes when the training processes of this machine have finished, and
   * exceptionally if the agent failed.
   */
  public CompletableFuture<Void> end() {
    return end.copy();
  }

  /** Returns true if this agent leads. */
  public boolean isLeading() {
    return loop.ask(leadership::isLeading);
  }

  /** Returns, where this agent leads or led, what crashed workers may have read unreported. */
  public List<SampleRange> mayBeSeenTwice() {
    return loop.ask(leadership::mayBeSeenTwice);
  }

  /**
   * Hands over if this agent leads, and closes all connections. On the agent's own thread, where
   * answers are given, that is done after the call, else before it returns.
   */
  @Override
  public void close() {
    loop.submit(this::shutDown);
    if (!loop.isOwnThread()) {
      loop.awaitEnd();
    }
  }

  private void begin() {
    loop.every(TICK, this::tick);
    loop.every(job.options().leaseRenewal().dividedBy(ELECTIONS_PER_RENEWAL), this::electAndFollow);
    loop.start("elastic-agent");
    Thread.ofVirtual().start(this::accept);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        if (!loop.perform(() -> accept(socket))) {
          socket.close();
        }
      } catch (IOException closed) {
        logged(closed);
        LockSupport.parkNanos(TICK.toNanos());
      }
    }
  }

  private void accept(Socket socket) {
    try {
      if (closing) {
        socket.close();
      } else if (!peers.admitsAnother()) {
        LOG.warn(
            "As many as may be are connected to an agent of {}, and another is not", job.key());
        socket.close();
      } else {
        peers.add(open(socket));
      }
    } catch (IOException gone) {
      logged(gone);
    }
  }

  private LineConnection open(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setKeepAlive(true);
    return LineConnection.open(
        socket,
        json,
        bounds,
        (connection, frame) -> loop.perform(() -> heard(connection, frame)),
        connection -> loop.submit(() -> closed(connection)));
  }

  private void tick() {
    leadership.tick();
    peers.tick();
    if (toLeader != null) {
      toLeader.refuseIfStuck();
    }
    if (hosted.areDone()) {
      end.complete(null);
    }
  }

  private void electAndFollow() {
    leadership.elect();
    Lease leading = job.store().read(job.key()).orElse(null);
    if (leading != null && (!leading.equals(following) || toLeader == null)) {
      follow(leading);
    }
  }

  private void follow(Lease leading) {
    disconnect();
    Socket socket = new Socket();
    try {
      socket.connect(address(leading), CONNECT_MILLIS);
      LineConnection connection = open(socket);
      connection.send(new Frame.Hello(name, job.connections().token()));
      following = leading;
      toLeader = connection;
      hosted.connected(leading.token());
    } catch (IOException failure) {
      if (!leading.equals(unreachable)) {
        LOG.warn("The leader of {} at {} cannot be reached", job.key(), leading.holder(), failure);
      }
      unreachable = leading;
    }
  }

  /** The store may hold what no agent wrote. */
  private static InetSocketAddress address(Lease leading) throws IOException {
    String holder = leading.holder();
    int colon = holder.lastIndexOf(':');
    try {
      return new InetSocketAddress(
          holder.substring(0, colon), Integer.parseInt(holder.substring(colon + 1)));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new IOException("it is not reached at host:port, but at " + holder, e);
    }
  }

  private void disconnect() {
    if (toLeader != null) {
      toLeader.close();
    }
    toLeader = null;
    following = null;
    hosted.disconnected();
  }

  private void toLeader(ToLeader message) {
    if (toLeader != null) {
      toLeader.send(new Frame.ForLeader(message));
    }
  }

  private void heard(LineConnection from, Frame frame) {
    if (closing || !(from.equals(toLeader) || peers.has(from))) {
      return;
    }
    try {
      check(from, frame);
    } catch (IllegalArgumentException fault) {
      from.refuse(String.valueOf(fault.getMessage()));
      return;
    }
    perform(from, frame);
  }

  /** Whatever is wrong with a frame is found before anything is done that it asks for. */
  private void check(LineConnection from, Frame frame) {
    if (from.equals(toLeader)) {
      Peers.checkFromLeader(frame);
      if (frame instanceof Frame.ForWorker forWorker) {
        hosted.check(forWorker.worker(), forWorker.message());
      }
      return;
    }
    peers.check(from, frame);
    if (frame instanceof Frame.Join join) {
      hosted.check(join.worker());
    } else if (frame instanceof Frame.ForLeader forLeader) {
      leadership.check(forLeader.message());
    }
  }

  private void perform(LineConnection from, Frame frame) {
    switch (frame) {
      case Frame.Join join -> hosted.join(from, join.worker());
      case Frame.Hello hello -> leadership.greet(from);
      case Frame.ForLeader forLeader -> leadership.on(from, forLeader.message());
      case Frame.Request request -> leadership.on(request.request());
      case Frame.ForWorker forWorker -> hosted.on(forWorker.worker(), forWorker.message());
      case Frame.Answer answer -> answers.accept(answer.answer());
      case Frame.Ready ready -> hosted.on(from, ready);
      case Frame.BatchEnd batchEnd -> hosted.on(from, batchEnd);
      case Frame.BatchFailed failed -> hosted.on(from, failed);
      case Frame.Leave leave -> hosted.on(from, leave);
      case Frame.Run run -> {}
      case Frame.Stop stop -> {}
    }
  }

  private void closed(LineConnection connection) {
    peers.remove(connection);
    if (closing) {
      return;
    }
    if (connection.equals(toLeader)) {
      LOG.warn("The connection to the leader of {} was lost", job.key());
      disconnect();
    }
    hosted.closed(connection);
    leadership.closed(connection);
  }

  private void shutDown() {
    if (closing) {
      return;
    }
    try {
      leadership.handOver();
    } catch (UncheckedIOException failure) {
      LOG.warn("The lease of {} was not released, and runs out by itself", job.key(), failure);
    }
    closeConnections();
    loop.stop();
    end.complete(null);
  }

  /** Others take what this agent no longer answers for a crash, and its lease if it led. */
  private void failed(Throwable mistake) {
    LOG.error("The agent of {} failed, and leaves the job to others", job.key(), mistake);
    try {
      leadership.abandon();
    } catch (RuntimeException alsoFailed) {
      logged(alsoFailed);
    }
    closeConnections();
    end.completeExceptionally(mistake);
  }

  private void closeConnections() {
    closing = true;
    try {
      server.close();
    } catch (IOException failure) {
      logged(failure);
    }
    disconnect();
    hosted.closeAll();
    peers.all().forEach(LineConnection::close);
  }

  private static void logged(Exception cause) {
    LOG.debug("Closing went wrong", cause);
  }

  /** A clock that no adjustment of the machine's time moves back. */
  private static InstantSource monotonic() {
    Instant start = Instant.EPOCH;
    long origin = System.nanoTime();
    return () -> start.plusNanos(System.nanoTime() - origin);
  }
}
