package io.github.liquidscheduler.json;

import io.github.liquidscheduler.cluster.TaskPlacement;
import io.github.liquidscheduler.job.ResourceRequest;
import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.scheduling.Reason;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of lines that say that jobs start because it is their turn, written without the forms
 * that all decisions have in common: most lines of a long simulation are such, and the forms cost
 * more than a tenth of it. Whatever is not plain is left to the forms. Not thread-safe.
 */
final class StartLines {

  private static final int FULL = 8192;
  private static final byte[] TYPE = ascii("{\"type\":\"decisions\",\"at\":\"");
  private static final byte[] DECISIONS = ascii("\",\"decisions\":[");
  private static final byte[] JOB = ascii("{\"type\":\"start\",\"job\":\"");
  private static final byte[] PLACEMENT = ascii("\",\"placement\":[");
  private static final byte[] TASK = ascii("{\"task\":\"");
  private static final byte[] NODE = ascii("\",\"node\":\"");
  private static final byte[] GPUS = ascii("\",\"gpus\":[");
  private static final byte[] REQUEST = ascii("],\"request\":");
  private static final byte[] POLICY = ascii("],\"why\":{\"type\":\"scheduled\",\"policy\":\"");
  private static final byte[] BYPASSED = ascii("\",\"bypassed\":");
  private static final byte[] END_OF_START = ascii("}}");
  private static final byte[] END = ascii("]}\n");

  private final MessageDigest digest;
  private byte[] bytes = new byte[2 * FULL];
  private int size;
  private boolean isPlain;
  private @Nullable ResourceRequest lastRequest;
  private byte[] lastRequestText = {};
  private long lastDay = Long.MIN_VALUE;
  private byte[] lastDate = {};

  /** Makes lines that are added to a digest. */
  StartLines(MessageDigest digest) {
    this.digest = digest;
  }

  /** Adds the line of decisions and returns true, or does nothing if it is not a plain one. */
  boolean add(Instant at, List<Decision> decisions) {
    int before = size;
    isPlain = true;
    put(TYPE);
    put(at);
    put(DECISIONS);
    for (int i = 0; i < decisions.size() && isPlain; i++) {
      if (i > 0) {
        put((byte) ',');
      }
      isPlain &= decisions.get(i) instanceof Decision.Start start && put(start);
    }
    put(END);
    if (!isPlain) {
      size = before;
    } else if (size >= FULL) {
      flush();
    }
    return isPlain;
  }

  /** Passes on what was added. */
  void flush() {
    digest.update(bytes, 0, size);
    size = 0;
  }

  /** Puts a time as {@link InstantText} has it; of most, only what follows the date is new. */
  private void put(Instant at) {
    long day = Math.floorDiv(at.getEpochSecond(), InstantText.DAY);
    boolean isWhole = at.getNano() == 0;
    if (!isWhole || day != lastDay) {
      String text = InstantText.of(at);
      put(text);
      lastDay = isWhole ? day : Long.MIN_VALUE;
      lastDate = ascii(text.substring(0, text.indexOf('T') + 1));
      return;
    }
    int second = Math.floorMod(at.getEpochSecond(), InstantText.DAY);
    put(lastDate);
    putTwoDigits(second / 3600);
    put((byte) ':');
    putTwoDigits(second / 60 % 60);
    put((byte) ':');
    putTwoDigits(second % 60);
    put((byte) 'Z');
  }

  private void putTwoDigits(int number) {
    put((byte) ('0' + number / 10));
    put((byte) ('0' + number % 10));
  }

  private boolean put(Decision.Start start) {
    if (!(start.why() instanceof Reason.Scheduled turn) || !start.after().isEmpty()) {
      return false;
    }
    put(JOB);
    put(start.job().value());
    put(PLACEMENT);
    List<TaskPlacement> tasks = start.placement().tasks();
    for (int i = 0; i < tasks.size(); i++) {
      if (i > 0) {
        put((byte) ',');
      }
      put(tasks.get(i));
    }
    put(POLICY);
    put(turn.policy());
    put(BYPASSED);
    put(turn.bypassed());
    put(END_OF_START);
    return isPlain;
  }

  private void put(TaskPlacement task) {
    put(TASK);
    put(task.task().role());
    put((byte) '/');
    put(task.task().index());
    put(NODE);
    put(task.node().value());
    put(GPUS);
    List<Integer> gpus = task.gpus();
    // A list without elements is left out.
    isPlain &= !gpus.isEmpty();
    for (int i = 0; i < gpus.size(); i++) {
      if (i > 0) {
        put((byte) ',');
      }
      put(gpus.get(i));
    }
    put(REQUEST);
    put(text(task.request()));
    put((byte) '}');
  }

  private byte[] text(ResourceRequest request) {
    if (!request.equals(lastRequest)) {
      String text = JsonOutput.line(out -> RoleJson.REQUEST.write(out, request));
      lastRequestText = text.getBytes(StandardCharsets.UTF_8);
      lastRequest = request;
    }
    return lastRequestText;
  }

  private void put(byte[] text) {
    reserve(text.length);
    System.arraycopy(text, 0, bytes, size, text.length);
    size += text.length;
  }

  private void put(byte one) {
    reserve(1);
    bytes[size++] = one;
  }

  /** Puts a text of which each character is a byte that stands for itself; others are not plain. */
  private void put(String text) {
    int length = text.length();
    reserve(length);
    for (int i = 0; i < length; i++) {
      char each = text.charAt(i);
      isPlain &= each >= ' ' && each <= '~' && each != '"' && each != '\\';
      bytes[size++] = (byte) each;
    }
  }

  private void put(int number) {
    if (number < 10) {
      put((byte) ('0' + number));
    } else {
      put(Integer.toString(number));
    }
  }

  private void reserve(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * (size + more));
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
