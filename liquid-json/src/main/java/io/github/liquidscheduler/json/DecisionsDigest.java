package io.github.liquidscheduler.json;

import io.github.liquidscheduler.scheduling.Decision;
import io.github.liquidscheduler.text.Count;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/**
 * A fingerprint of everything a scheduler has decided, and when: equal for equal decisions on every
 * machine. It is the SHA-256 of the lines of type {@code decisions} that a journal of the same run
 * has, each without its check sum and with its line end. Not thread-safe.
 */
public final class DecisionsDigest {

  private final MessageDigest sha256;
  private final JsonOutput lines;
  private final StartLines starts;
  private long decisions;

  /** Starts from no decision. */
  public DecisionsDigest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256, but this one has not", e);
    }
    OutputStream bytes = new DigestOutputStream(OutputStream.nullOutputStream(), sha256);
    lines = JsonOutput.to(bytes);
    starts = new StartLines(sha256);
  }

  /**
   * Adds what was decided after one event. An event after which nothing was decided leaves no
   * trace.
   */
  public void add(Instant at, List<Decision> decisions) {
    if (decisions.isEmpty()) {
      return;
    }
    this.decisions += decisions.size();
    if (starts.add(at, decisions)) {
      return;
    }
    starts.flush();
    JournalLine.decided(lines, at, decisions);
    lines.endLine();
    lines.flush();
  }

  /** Returns the number of decisions added. */
  public long decisions() {
    return decisions;
  }

  /** Returns the digest of what was added so far: 64 hexadecimal digits in lower case. */
  public String hex() {
    starts.flush();
    try {
      MessageDigest soFar = (MessageDigest) sha256.clone();
      return HexFormat.of().formatHex(soFar.digest());
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException("this platform's SHA-256 cannot be asked midway", e);
    }
  }

  /** Returns the digest and the number of decisions. */
  @Override
  public String toString() {
    return hex() + " of " + Count.of(decisions, "decision");
  }
}
