package io.github.liquidscheduler.elastic.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A socket that carries frames, one on a line, with a thread for each direction. */
final class LineConnection implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LineConnection.class);
  private static final String END = "";

  private final Socket socket;
  private final JsonLines json;
  private final BlockingQueue<String> outgoing = new LinkedBlockingQueue<>();

  private LineConnection(Socket socket, JsonLines json) {
    this.socket = socket;
    this.json = json;
  }

  /** Begins to read and write; the reader's thread tells frames, and once of the end. */
  static LineConnection open(
      Socket socket,
      JsonLines json,
      BiConsumer<LineConnection, Frame> heard,
      Consumer<LineConnection> closed) {
    LineConnection connection = new LineConnection(socket, json);
    Thread.ofVirtual().start(() -> connection.read(heard, closed));
    Thread.ofVirtual().start(connection::write);
    return connection;
  }

  void send(Frame frame) {
    outgoing.add(json.write(frame));
  }

  /** Writes what is still to be sent, then closes. */
  @Override
  public void close() {
    outgoing.add(END);
  }

  private void read(BiConsumer<LineConnection, Frame> heard, Consumer<LineConnection> closed) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        heard.accept(this, json.frame(line));
      }
    } catch (IOException | UncheckedIOException broken) {
      LOG.debug("A connection broke", broken);
    }
    close();
    closed.accept(this);
  }

  private void write() {
    try (socket;
        Writer lines = new OutputStreamWriter(socket.getOutputStream(), UTF_8)) {
      for (String line = outgoing.take(); !line.equals(END); line = outgoing.take()) {
        lines.write(line + "\n");
        if (outgoing.isEmpty()) {
          lines.flush();
        }
      }
    } catch (IOException broken) {
      LOG.debug("A connection broke", broken);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
