package io.github.liquidscheduler.placement.network;

/**
 * An exchange between a job's tasks in each iteration, as bytes through cuts of a placement.
 * Traffic is equal in both directions of full-duplex links.
 */
sealed interface TrafficPattern {

  /** Returns the bytes that leave the part in one iteration. */
  double across(TrafficFootprint placement, int part);

  /** Returns the bytes over the busiest link of a GPU to others of the same part. */
  double inside(TrafficFootprint placement, int part);

  /** Returns the number of transfers that wait for each other. */
  double steps(TrafficFootprint placement);

  /** Returns true if each end receives a whole buffer before the next may begin. */
  default boolean isStoredAndForwarded() {
    return false;
  }

  /** Returns true if GPUs of a node exchange first, and nodes only then. */
  default boolean isPhased() {
    return false;
  }

  /** Returns true if two nodes alone talk in both directions at once. */
  default boolean isRing() {
    return false;
  }

  /** Returns the part of a buffer that a ring of {@code members} sends over each of its links. */
  private static double ringPart(int members) {
    return members < 2 ? 0 : 2.0 * (members - 1) / members;
  }

  /** All GPUs sum a buffer in one ring. */
  record Ring(double buffer) implements TrafficPattern {
    @Override
    public double across(TrafficFootprint placement, int part) {
      int gpus = placement.gpus(part);
      return 0 < gpus && gpus < placement.gpus() ? ringPart(placement.gpus()) * buffer : 0;
    }

    @Override
    public double inside(TrafficFootprint placement, int part) {
      return placement.gpus(part) < 2 ? 0 : ringPart(placement.gpus()) * buffer;
    }

    @Override
    public double steps(TrafficFootprint placement) {
      return 2.0 * Math.max(0, placement.gpus() - 1);
    }

    @Override
    public boolean isRing() {
      return true;
    }
  }

  /** The GPUs of each node sum a buffer, then the nodes do. */
  record Hierarchy(double buffer) implements TrafficPattern {
    @Override
    public double across(TrafficFootprint placement, int part) {
      int gpus = placement.gpus(part);
      return 0 < gpus && gpus < placement.gpus() ? ringPart(placement.nodes()) * buffer : 0;
    }

    @Override
    public double inside(TrafficFootprint placement, int part) {
      return ringPart(placement.gpus(part)) * buffer;
    }

    @Override
    public double steps(TrafficFootprint placement) {
      return 2.0 * Math.max(0, (placement.nodes() > 1 ? placement.nodes() : placement.gpus()) - 1);
    }

    @Override
    public boolean isPhased() {
      return true;
    }

    @Override
    public boolean isRing() {
      return true;
    }
  }

  /** Every GPU sends {@code sent} bytes, the same to each other one. */
  record Exchange(double sent) implements TrafficPattern {
    @Override
    public double across(TrafficFootprint placement, int part) {
      int gpus = placement.gpus(part);
      return gpus == 0 ? 0 : gpus * toOthers(placement, placement.gpus() - gpus);
    }

    @Override
    public double inside(TrafficFootprint placement, int part) {
      return toOthers(placement, placement.gpus(part) - 1);
    }

    private double toOthers(TrafficFootprint placement, int others) {
      return others < 1 ? 0 : sent * others / (placement.gpus() - 1);
    }

    @Override
    public double steps(TrafficFootprint placement) {
      return Math.max(0, placement.gpus() - 1);
    }
  }

  /**
   * Tasks in a chain send {@code sent} bytes to the next and as many back. The order of tasks is
   * ignored: a part with two others around it is taken to be in the middle.
   */
  record Chain(double sent) implements TrafficPattern {
    @Override
    public double across(TrafficFootprint placement, int part) {
      int others = placement.nodes() - placement.nodesIn(part);
      return placement.tasks(part) == 0 ? 0 : sent * Math.min(2, others);
    }

    @Override
    public double inside(TrafficFootprint placement, int part) {
      return sent * Math.clamp(placement.tasks(part) - 1L, 0, 2);
    }

    @Override
    public double steps(TrafficFootprint placement) {
      return placement.tasks() < 2 ? 0 : 2;
    }
  }

  /** Groups of GPUs sum a buffer each. A part with GPUs left over shares a group with others. */
  record Groups(int groupSize, double buffer) implements TrafficPattern {
    @Override
    public double across(TrafficFootprint placement, int part) {
      boolean isCut =
          placement.gpus(part) % groupSize != 0 && placement.gpus(part) < placement.gpus();
      return isCut ? ringPart(members(placement)) * buffer : 0;
    }

    @Override
    public double inside(TrafficFootprint placement, int part) {
      return placement.gpus(part) < 2 ? 0 : ringPart(members(placement)) * buffer;
    }

    @Override
    public double steps(TrafficFootprint placement) {
      return 2.0 * Math.max(0, members(placement) - 1);
    }

    private int members(TrafficFootprint placement) {
      return Math.min(groupSize, placement.gpus());
    }
  }

  /** Each worker sends {@code sent} bytes to the servers, which split them, and gets as many. */
  record Servers(int serverRole, int workerRole, double sent) implements TrafficPattern {
    @Override
    public double across(TrafficFootprint placement, int part) {
      int servers = placement.tasksOf(serverRole);
      if (servers == 0) {
        return 0;
      }
      double share = (double) placement.tasks(part, serverRole) / servers;
      int workers = placement.tasks(part, workerRole);
      return sent * (workers * (1 - share) + share * (placement.tasksOf(workerRole) - workers));
    }

    @Override
    public double inside(TrafficFootprint placement, int part) {
      int here = placement.tasks(part, serverRole);
      int workers = placement.tasks(part, workerRole);
      return here == 0 || workers == 0
          ? 0
          : sent * (workers + here) / placement.tasksOf(serverRole);
    }

    @Override
    public double steps(TrafficFootprint placement) {
      return placement.tasksOf(serverRole) == 0 || placement.tasksOf(workerRole) == 0 ? 0 : 2;
    }

    @Override
    public boolean isStoredAndForwarded() {
      return true;
    }
  }
}
