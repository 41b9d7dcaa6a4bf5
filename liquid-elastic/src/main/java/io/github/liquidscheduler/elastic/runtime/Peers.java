package io.github.liquidscheduler.elastic.runtime;

import io.github.liquidscheduler.elastic.WorkerId;
import io.github.liquidscheduler.elastic.protocol.ToLeader;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who has connected to this agent, and what each may say. A peer says first who it is: a training
 * process with its join, an agent with its hello; only agents speak for workers, and only for those
 * that they have registered themselves.
 */
final class Peers {
  /** How many names of workers one agent may use, of which this agent remembers each. */
  private static final int MOST_NAMES = 10_000;

  private final ConnectionOptions options;
  private final Map<LineConnection, Peer> peers = new LinkedHashMap<>();

  private static final class Peer {
    private final long since = System.nanoTime();
    private final Set<WorkerId> registered = new HashSet<>();
    private boolean trains;
    private @Nullable String agent;

    boolean isUnknown() {
      return !trains && agent == null;
    }
  }

  Peers(ConnectionOptions options) {
    this.options = options;
  }

  /**
   * Returns true if another may connect: there are few enough, or one that has not said who it is
   * gives way.
   */
  boolean admitsAnother() {
    if (peers.size() < options.maxConnections()) {
      return true;
    }
    Optional<LineConnection> longest = peers.keySet().stream().filter(this::isUnknown).findFirst();
    longest.ifPresent(
        connection -> {
          connection.refuse("others want to connect, and it has not said who it is");
          peers.remove(connection);
        });
    return longest.isPresent();
  }

  boolean has(LineConnection connection) {
    return peers.containsKey(connection);
  }

  void add(LineConnection connection) {
    peers.put(connection, new Peer());
  }

  void remove(LineConnection connection) {
    peers.remove(connection);
  }

  List<LineConnection> all() {
    return List.copyOf(peers.keySet());
  }

  /** Refuses those who have been silent for too long. */
  void tick() {
    long now = System.nanoTime();
    peers.forEach(
        (connection, peer) -> {
          connection.refuseIfStuck();
          if (peer.isUnknown() && now - peer.since > options.silenceTimeout().toNanos()) {
            connection.refuse("it has not said who it is within " + options.silenceTimeout());
          }
        });
  }

  /**
   * Checks that a peer may send a frame, and notes who it says that it is.
   *
   * @throws IllegalArgumentException if it may not, in one sentence
   */
  void check(LineConnection from, Frame frame) {
    Peer peer = Objects.requireNonNull(peers.get(from), "not connected");
    switch (frame) {
      case Frame.Join join -> {
        checkNew(peer, join.token());
        peer.trains = true;
      }
      case Frame.Hello hello -> {
        checkNew(peer, hello.token());
        peer.agent = hello.agent();
      }
      case Frame.Ready ready -> check(peer.trains, frame);
      case Frame.BatchEnd end -> check(peer.trains, frame);
      case Frame.BatchFailed failed -> check(peer.trains, frame);
      case Frame.Leave leave -> check(peer.trains, frame);
      case Frame.Request request -> check(peer.agent != null, frame);
      case Frame.ForLeader forLeader -> {
        check(peer.agent != null, frame);
        checkWorker(peer, forLeader.message());
      }
      case Frame.Run run -> check(false, frame);
      case Frame.Stop stop -> check(false, frame);
      case Frame.ForWorker forWorker -> check(false, frame);
      case Frame.Answer answer -> check(false, frame);
    }
  }

  /**
   * Checks that a leader may send a frame.
   *
   * @throws IllegalArgumentException if it may not, in one sentence
   */
  static void checkFromLeader(Frame frame) {
    check(frame instanceof Frame.ForWorker || frame instanceof Frame.Answer, frame);
  }

  private boolean isUnknown(LineConnection connection) {
    Peer peer = peers.get(connection);
    return peer != null && peer.isUnknown();
  }

  private void checkNew(Peer peer, @Nullable String token) {
    if (!peer.isUnknown()) {
      throw new IllegalArgumentException("it says twice who it is");
    }
    if (!options.accepts(token)) {
      throw new IllegalArgumentException("it does not know the token");
    }
  }

  private static void check(boolean mayBeSent, Frame frame) {
    if (!mayBeSent) {
      throw new IllegalArgumentException(
          "a %s is not for it to send".formatted(frame.getClass().getSimpleName()));
    }
  }

  private void checkWorker(Peer peer, ToLeader message) {
    WorkerId worker = message.worker();
    if (peer.registered.contains(worker)) {
      return;
    }
    if (!(message instanceof ToLeader.Register)) {
      throw new IllegalArgumentException(
          "it speaks for worker '%s', which it has not registered".formatted(worker));
    }
    if (peers.values().stream().anyMatch(other -> isAnothers(worker, peer, other))) {
      throw new IllegalArgumentException("worker '%s' is another agent's".formatted(worker));
    }
    if (peer.registered.size() == MOST_NAMES) {
      throw new IllegalArgumentException("it has more than %d workers".formatted(MOST_NAMES));
    }
    peer.registered.add(worker);
  }

  /** An agent that connects again may be heard before the end of its former connection. */
  private static boolean isAnothers(WorkerId worker, Peer peer, Peer other) {
    return other.registered.contains(worker)
        && (peer.agent == null || !peer.agent.equals(other.agent));
  }
}
