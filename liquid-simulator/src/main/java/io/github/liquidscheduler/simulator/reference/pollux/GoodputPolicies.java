package io.github.liquidscheduler.simulator.reference.pollux;

/** The policies of the simulation. */
public enum GoodputPolicies {
  /** Tiresias with sizes and batch sizes as submitted. */
  TIRESIAS("tiresias") {
    @Override
    GoodputPolicy policy(GoodputCluster cluster) {
      return new LeastServiceQueues(cluster);
    }
  },
  /** Optimus with batch sizes as submitted, which knows steps left and step times. */
  OPTIMUS("optimus") {
    @Override
    GoodputPolicy policy(GoodputCluster cluster) {
      return new OracleOptimus(cluster);
    }
  };

  private final String text;

  GoodputPolicies(String text) {
    this.text = text;
  }

  abstract GoodputPolicy policy(GoodputCluster cluster);

  @Override
  public String toString() {
    return text;
  }
}
