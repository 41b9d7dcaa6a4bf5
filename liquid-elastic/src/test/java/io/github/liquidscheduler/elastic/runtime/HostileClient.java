package io.github.liquidscheduler.elastic.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;

/**
 * A client that sends frames with a mutation, frames that are not for it to send, and bytes, over
 * one connection after the other. Some of its connections begin as those of training processes and
 * agents do that know the token; what it knows to be true of the honest workers it says without the
 * token only, since whoever knows the token is believed.
 */
final class HostileClient implements Runnable {
  private static final int LINES_AT_ONCE = 25;

  /** Far beyond where any job is, so that no single mutation makes a report that is believed. */
  private static final String FAR = "'topology':40000000000017,'step':70000000000013";

  private static final String REPLICA =
      "{'topology':{'number':3,'members':['w'],'broadcaster':null,'receivers':[]},'step':9,"
          + "'ledger':{'partitioning':{'samples':2000,'partitions':1,'batchSize':1,'seed':0},"
          + "'epoch':0,'states':[{'type':'Owned','worker':'w','offset':5,'sequence':0}],"
          + "'mayBeSeenTwice':[{'epoch':0,'from':1,'to':2}]}}";

  private static final List<String> FRAMES =
      List.of(
          "{'type':'Ready'}",
          "{'type':'Leave'}",
          "{'type':'BatchEnd'," + FAR + ",'computeSeconds':0.25}",
          "{'type':'BatchFailed'," + FAR + "}",
          "{'type':'ForLeader','message':{'type':'Register','worker':'w','replica':null,"
              + "'loaded':false}}",
          "{'type':'ForLeader','message':{'type':'Register','worker':'w','replica':"
              + REPLICA
              + ",'loaded':true}}",
          "{'type':'ForLeader','message':{'type':'Ready','worker':'w'}}",
          "{'type':'ForLeader','message':{'type':'BatchEnd','worker':'w',"
              + FAR
              + ",'progress':{'epoch':0,'partition':3,'offset':7},'compute':'PT0.25S'}}",
          "{'type':'ForLeader','message':{'type':'BatchFailed','worker':'w'," + FAR + "}}",
          "{'type':'ForLeader','message':{'type':'Leave','worker':'w'}}",
          "{'type':'ForLeader','message':{'type':'Lost','worker':'w'}}",
          "{'type':'Request','request':{'type':'ScaleOut','id':'w','workers':['w']}}",
          "{'type':'Request','request':{'type':'ScaleIn','id':'w','workers':['w']}}",
          "{'type':'Request','request':{'type':'Migrate','id':'w','from':['w'],'to':['w']}}",
          "{'type':'Request','request':{'type':'Cancel','id':'w'}}",
          "{'type':'Request','request':{'type':'NoReplacement','id':'w','worker':'w'}}",
          "{'type':'Run','topology':1,'members':['w'],'broadcaster':null,'receivers':[],"
              + "'switched':true,'step':1,'batch':{'epoch':0,'from':0,'to':1},'committed':true,"
              + "'switchAt':0}",
          "{'type':'Stop','reason':'FINISHED','committed':true}",
          "{'type':'ForWorker','worker':'w','message':{'type':'Stop','term':1000,"
              + "'reason':'REMOVED','step':1}}",
          "{'type':'ForWorker','worker':'w','message':{'type':'Prepare','term':9,'topology':1}}",
          "{'type':'Answer','answer':{'type':'Finished','steps':7}}");

  private static final List<String> VALUES =
      List.of("null", "-1", "0", "9223372036854775807", "1e400", "true", "''", "[]", "{}", "'x'");

  private final int port;
  private final String token;
  private final List<String> honest;
  private final Random random;
  private final Semaphore sent;
  private long left;

  HostileClient(
      int port, String token, List<String> honest, long seed, long lines, Semaphore sent) {
    this.port = port;
    this.token = token;
    this.honest = honest;
    random = new Random(seed);
    left = lines;
    this.sent = sent;
  }

  @Override
  public void run() {
    while (left > 0) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        speak(socket);
      } catch (IOException refused) {
        // That is what it has to expect.
      }
    }
  }

  private void speak(Socket socket) throws IOException {
    boolean known = random.nextInt(3) > 0;
    long lines = Math.min(left, 1 + random.nextInt(LINES_AT_ONCE));
    left -= lines;
    sent.release((int) lines);
    OutputStream output = socket.getOutputStream();
    String worker = known ? "stranger-" + random.nextLong() : pick(honest);
    output.write(bytes(first(known, worker)));
    for (int line = 1; line < lines; line++) {
      output.write(line(worker));
    }
    output.flush();
    socket.shutdownOutput();
    InputStream input = socket.getInputStream();
    while (input.read() >= 0) {
      // Until the agent has closed it.
    }
  }

  private String first(boolean known, String worker) {
    String shown = known ? token : pick(List.of("", "wrong", token.substring(1)));
    String who =
        random.nextBoolean()
            ? "{'type':'Join','worker':'w','token':'t'}"
            : "{'type':'Hello','agent':'w','token':'t'}";
    return who.replace("'w'", "'" + worker + "'").replace("'t'", "'" + shown + "'");
  }

  private byte[] line(String worker) {
    if (random.nextInt(10) == 0) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      return noise;
    }
    String frame = pick(FRAMES);
    return bytes(
        (random.nextInt(3) == 0 ? frame : mutated(frame)).replace("'w'", "'" + worker + "'"));
  }

  private String mutated(String frame) {
    return switch (random.nextInt(4)) {
      case 0 -> frame.substring(0, random.nextInt(frame.length()));
      case 1 -> replaceByte(frame, (char) (' ' + random.nextInt(95)));
      case 2 -> replaceValue(frame);
      default -> dropField(frame);
    };
  }

  private String replaceByte(String frame, char by) {
    int at = random.nextInt(frame.length());
    return frame.substring(0, at) + by + frame.substring(at + 1);
  }

  /** Gives a field another value. */
  private String replaceValue(String frame) {
    String[] fields = frame.split(":", -1);
    int field = 1 + random.nextInt(fields.length - 1);
    fields[field] = fields[field].replaceFirst("^[^,}\\]{\\[]*", pick(VALUES));
    return String.join(":", fields);
  }

  /** Leaves a field out. */
  private String dropField(String frame) {
    String[] fields = frame.split(",", -1);
    int field = random.nextInt(fields.length);
    StringBuilder rest = new StringBuilder();
    for (int at = 0; at < fields.length; at++) {
      if (at != field) {
        rest.append(rest.isEmpty() ? "" : ",").append(fields[at]);
      }
    }
    return rest.toString();
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static byte[] bytes(String line) {
    return (line.replace('\'', '"') + "\n").getBytes(UTF_8);
  }
}
