package io.github.liquidscheduler.simulator.metrics;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A fingerprint of all that a run did and when: SHA-256 over one line of text for each. */
public final class RunDigest {

  private final MessageDigest sha256;

  /** Makes the fingerprint of a run that did nothing yet. */
  public RunDigest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Adds a line. */
  public void add(String line) {
    sha256.update((line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the fingerprint in hexadecimal and resets. */
  public String hexadecimal() {
    return HexFormat.of().formatHex(sha256.digest());
  }
}
