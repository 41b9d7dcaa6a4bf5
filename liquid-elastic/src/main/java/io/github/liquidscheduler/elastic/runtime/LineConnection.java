package io.github.liquidscheduler.elastic.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A socket that carries frames, one on a line, with a thread for each direction. The next line is
 * read once the frame before has been taken.
 */
final class LineConnection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LineConnection.class);
  private static final int LONGEST_FAULT = 200;
  private static final byte[] END = {};

  /** What a peer may use. */
  record Bounds(int lineBytes, long queuedBytes, Duration silence) {}

  private final Socket socket;
  private final JsonLines json;
  private final Bounds bounds;
  private final String peer;
  private final BlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>();
  private final AtomicLong queued = new AtomicLong();
  private final AtomicBoolean aborted = new AtomicBoolean();
  private volatile long lastWritten = System.nanoTime();

  private LineConnection(Socket socket, JsonLines json, Bounds bounds) {
    this.socket = socket;
    this.json = json;
    this.bounds = bounds;
    peer = String.valueOf(socket.getRemoteSocketAddress());
  }

  /** Begins to read and write; the reader's thread tells frames, and once of the end. */
  static LineConnection open(
      Socket socket,
      JsonLines json,
      Bounds bounds,
      BiConsumer<LineConnection, Frame> heard,
      Consumer<LineConnection> closed) {
    LineConnection connection = new LineConnection(socket, json, bounds);
    Thread.ofVirtual().start(() -> connection.read(heard, closed));
    Thread.ofVirtual().start(connection::write);
    return connection;
  }

  /** Sends a frame, in its turn; a peer for which too much waits already is refused instead. */
  void send(Frame frame) {
    byte[] line = (json.write(frame) + "\n").getBytes(UTF_8);
    long waiting = queued.getAndAdd(line.length);
    if (waiting == 0) {
      lastWritten = System.nanoTime();
    } else if (waiting + line.length > bounds.queuedBytes()) {
      refuse("it does not read, and %d bytes wait for it".formatted(waiting));
      return;
    }
    outgoing.add(line);
  }

  /** Refuses a peer that has not read for too long. */
  void refuseIfStuck() {
    if (queued.get() > 0 && System.nanoTime() - lastWritten > bounds.silence().toNanos()) {
      refuse("it has not read for " + bounds.silence());
    }
  }

  /** Closes at once, and says why in one line of the log. */
  void refuse(String fault) {
    if (!aborted.get()) {
      LOG.warn("The connection with {} is closed: {}", peer, printable(fault));
    }
    abort();
  }

  /** Writes what is still to be sent, then closes; a peer that does not read is not waited for. */
  @Override
  public void close() {
    outgoing.add(END);
    if (!socket.isClosed()) {
      CompletableFuture.delayedExecutor(bounds.silence().toMillis(), TimeUnit.MILLISECONDS)
          .execute(this::abort);
    }
  }

  private void read(BiConsumer<LineConnection, Frame> heard, Consumer<LineConnection> closed) {
    try {
      BoundedLineReader lines = new BoundedLineReader(socket.getInputStream(), bounds.lineBytes());
      for (String line = lines.next(); line != null && !aborted.get(); line = lines.next()) {
        heard.accept(this, json.frame(line));
      }
    } catch (IOException broken) {
      LOG.debug("A connection broke", broken);
    } catch (IllegalArgumentException fault) {
      refuse(String.valueOf(fault.getMessage()));
    }
    close();
    closed.accept(this);
  }

  private void write() {
    try (socket;
        OutputStream lines = new BufferedOutputStream(socket.getOutputStream())) {
      for (byte[] line = outgoing.take(); line.length > 0; line = outgoing.take()) {
        lines.write(line);
        if (outgoing.isEmpty()) {
          lines.flush();
        }
        lastWritten = System.nanoTime();
        queued.addAndGet(-line.length);
      }
    } catch (IOException broken) {
      LOG.debug("A connection broke", broken);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void abort() {
    if (aborted.compareAndSet(false, true)) {
      outgoing.clear();
      outgoing.add(END);
      try (socket) {
        socket.setOption(StandardSocketOptions.SO_LINGER, 0);
      } catch (IOException alreadyClosed) {
        LOG.debug("A connection was closed already", alreadyClosed);
      }
    }
  }

  /** What a peer has sent may be in a fault: not beyond one line, nor without end. */
  private static String printable(String fault) {
    String line = fault.replaceAll("\\p{Cntrl}", " ");
    return line.length() <= LONGEST_FAULT ? line : line.substring(0, LONGEST_FAULT) + "…";
  }
}
