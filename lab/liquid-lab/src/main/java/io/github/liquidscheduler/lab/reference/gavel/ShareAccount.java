package io.github.liquidscheduler.lab.reference.gavel;

/** What a job, or a pair, shall have of a GPU model, and has had since the last allocation. */
final class ShareAccount {

  static final double HALF_ROUND = 180;

  private boolean isKnown;
  private double share;
  private double received;
  private double deficit;

  ShareAccount(double received) {
    this.received = received;
  }

  /** Returns whether an allocation has been made since the job arrived. */
  boolean isKnown() {
    return isKnown;
  }

  double share() {
    return share;
  }

  double deficit() {
    return deficit;
  }

  void receive(double seconds) {
    received += seconds;
  }

  /** Books what was missing in the seconds since the last allocation, and starts anew. */
  void reset(double elapsed) {
    deficit += share * elapsed - (received - HALF_ROUND);
    received = HALF_ROUND;
  }

  void allocate(double newShare) {
    isKnown = true;
    share = newShare;
  }

  /**
   * Returns the priority of the job on the GPU model: its share over what it received of all time.
   *
   * @param all the seconds that all jobs received
   */
  double priority(double all) {
    double fraction = all == 0 ? 0 : received / all;
    return fraction == 0 ? share * 1e9 : share / fraction;
  }
}
