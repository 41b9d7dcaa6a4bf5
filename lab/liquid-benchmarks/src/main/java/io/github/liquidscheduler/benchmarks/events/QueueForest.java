package io.github.liquidscheduler.benchmarks.events;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Many queues, three levels deep: one of a hundred is at the top, one of ten in the middle, and
 * jobs stand in the others. One of these has nothing to do with the rest: it is guaranteed what a
 * gang needs that comes now and then, which the others borrow meanwhile.
 */
final class QueueForest {

  private static final double GUARANTEED = .8;
  private static final int MOST_WEIGHT = 4;
  private static final String ALL = "all";
  private static final QueueName OWNER = QueueName.of("owner");

  private final QueueTree tree;
  private final boolean areBelowOne;
  private final List<QueueSpec> specs = new ArrayList<>();
  private final List<QueueName> leaves = new ArrayList<>();
  private final double[] demandUpTo;
  private final Random random;

  /**
   * Makes the queues.
   *
   * @param count how many
   * @param gpus how many GPUs there are, of which four of five are guaranteed to somebody
   * @param gang what is guaranteed to the owner of the gang
   */
  QueueForest(int count, int gpus, int gang, Reclaiming reclaiming, long seed) {
    random = new Random(seed);
    areBelowOne = reclaiming.lends();
    if (areBelowOne) {
      specs.add(QueueSpec.named(ALL));
    }
    int tops = Math.max(1, count / 100);
    int middles = Math.max(tops, count / 10 - tops);
    specs.add(atTop(OWNER.value()).withGpus(gang));
    for (int top = 0; top < tops; top++) {
      specs.add(atTop("top-" + top));
    }
    for (int middle = 0; middle < middles; middle++) {
      specs.add(QueueSpec.named("middle-" + middle).in("top-" + middle % tops));
    }
    int left = Math.max(middles, count - tops - middles);
    int each = (int) Math.max(1, GUARANTEED * gpus / left);
    for (int leaf = 0; leaf < left; leaf++) {
      QueueQuota quota =
          QueueQuota.guaranteed(random.nextInt(2 * each + 1))
              .withWeight(1 + random.nextInt(MOST_WEIGHT));
      leaves.add(QueueName.of("leaf-" + leaf));
      specs.add(
          QueueSpec.named("leaf-" + leaf)
              .in("middle-" + leaf % middles)
              .with(QuotaResource.GPUS, leaf % 5 == 0 ? quota.withLimit(8.0 * each) : quota));
    }
    tree = QueueTree.of(specs).with(reclaiming);
    demandUpTo = demand(left);
  }

  /** Makes a queue at the top; where queues lend each other quota, one above all lends it. */
  private QueueSpec atTop(String name) {
    QueueSpec queue = QueueSpec.named(name);
    return areBelowOne ? queue.in(ALL) : queue;
  }

  /** Draws how much comes to each queue: to some much more than is due to them. */
  private double[] demand(int queues) {
    double[] upTo = new double[queues];
    double sum = 0;
    for (int queue = 0; queue < queues; queue++) {
      sum += Math.exp(random.nextGaussian());
      upTo[queue] = sum;
    }
    return upTo;
  }

  QueueTree tree() {
    return tree;
  }

  QueueName owner() {
    return OWNER;
  }

  /** Draws the queue of a job, by their demands. */
  QueueName any() {
    double at = random.nextDouble() * demandUpTo[demandUpTo.length - 1];
    int low = Arrays.binarySearch(demandUpTo, at);
    return leaves.get(low < 0 ? -low - 1 : low);
  }
}
