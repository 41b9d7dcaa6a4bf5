package io.github.liquidscheduler.simulator.reference;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A fingerprint of all that a run did and when: SHA-256 over one line of text for each. */
final class RunDigest implements RunObserver {

  private final MessageDigest sha256;

  RunDigest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  @Override
  public void started(CountedJob job, long now) {
    add("start", job, now);
  }

  @Override
  public void preempted(CountedJob job, long now) {
    add("preempt", job, now);
  }

  @Override
  public void finished(CountedJob job, long now) {
    add("finish", job, now);
  }

  /** Returns the fingerprint in hexadecimal and starts anew. */
  String hexadecimal() {
    return HexFormat.of().formatHex(sha256.digest());
  }

  private void add(String what, CountedJob job, long now) {
    String line = now + " " + what + " " + job.id() + "\n";
    sha256.update(line.getBytes(StandardCharsets.UTF_8));
  }
}
