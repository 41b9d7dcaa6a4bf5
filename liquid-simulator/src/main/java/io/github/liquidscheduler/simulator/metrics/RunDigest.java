package io.github.liquidscheduler.simulator.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hasher;
import com.google.common.hash.Hashing;

/** A fingerprint of all that a run did and when: SHA-256 over one line of text for each. */
public final class RunDigest {

  private final Hasher sha256 = Hashing.sha256().newHasher();

  /** Makes the fingerprint of a run that did nothing yet. */
  public RunDigest() {}

  /** Adds a line. */
  public void add(String line) {
    sha256.putString(line + "\n", UTF_8);
  }

  /**
   * Returns the fingerprint in hexadecimal.
   *
   * @throws IllegalStateException if it was returned before
   */
  public String hexadecimal() {
    return sha256.hash().toString();
  }
}
