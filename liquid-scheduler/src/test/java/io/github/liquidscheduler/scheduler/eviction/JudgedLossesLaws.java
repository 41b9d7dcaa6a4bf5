package io.github.liquidscheduler.scheduler.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.Choices;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.cluster.Node;
import io.github.liquidscheduler.placement.capacity.ClusterState;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import io.github.liquidscheduler.scheduler.quota.Charge;
import io.github.liquidscheduler.scheduler.quota.QueueAccount;
import io.github.liquidscheduler.scheduler.quota.QueueBooks;
import io.github.liquidscheduler.scheduler.quota.Reclaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Lists of losses are judged as by new rules that are asked about one loss after the other. */
class JudgedLossesLaws {

  private static final ClusterTopology CLUSTER =
      ClusterTopology.builder()
          .node(Node.builder("n").gpus(40, GpuModel.of("V100"), Memory.ofGib(16)).build())
          .build();

  /** A loss of a queue; its number tells it from others. */
  private record Loss(int number, QueueAccount queue, Charge charge) {}

  @Property
  void eachListIsJudgedAsIfItWereTheFirst(@ForAll(supplier = Choices.Any.class) Choices choices) {
    Random random = choices.random();
    List<QueueAccount> leaves = leaves(random);
    QueueAccount winner = leaves.get(random.nextInt(leaves.size()));
    BitSet scarce = new BitSet();
    scarce.set(0);
    Charge asked = gpus(1 + random.nextInt(4));
    List<Loss> all = losses(random, leaves, new Reclaim(winner, asked, scarce), winner);
    JudgedLosses<Loss> judged =
        new JudgedLosses<>(new Reclaim(winner, asked, scarce), Loss::queue, Loss::charge);

    List<Loss> kept = List.copyOf(all);
    for (int step = 0; step < 30; step++) {
      List<Loss> next = next(random, all, kept);
      boolean areAllowed = judged.areAllowed(next);

      Reclaim rules = new Reclaim(winner, asked, scarce);
      assertThat(areAllowed).isEqualTo(areAllowed(rules, next));
      kept = areAllowed || random.nextInt(4) == 0 ? next : kept;
      if (areAllowed) {
        leaves.forEach(leaf -> assertThat(judged.rules().lost(leaf)).isEqualTo(rules.lost(leaf)));
      }
    }
  }

  private static boolean areAllowed(Reclaim rules, List<Loss> losses) {
    for (Loss loss : losses) {
      if (!rules.mayLose(loss.queue(), loss.charge())) {
        return false;
      }
      rules.lose(loss.queue(), loss.charge());
    }
    return true;
  }

  /**
   * Returns a part of the losses allowed last, or now and then of all in some order, or one that is
   * last now.
   */
  private static List<Loss> next(Random random, List<Loss> all, List<Loss> kept) {
    boolean isOther = random.nextInt(5) == 0;
    List<Loss> next = new ArrayList<>(isOther ? all : kept);
    int most = random.nextInt(3) + 1;
    for (int i = 0; i < most && !next.isEmpty(); i++) {
      int from = random.nextInt(next.size());
      next.subList(from, from + 1 + random.nextInt(next.size() - from)).clear();
    }
    if (isOther && random.nextBoolean()) {
      Collections.shuffle(next, random);
    }
    if (!next.isEmpty() && random.nextInt(3) == 0) {
      next.add(next.remove(random.nextInt(next.size())));
    }
    return next;
  }

  /** Returns losses, most of them allowed one after the other. */
  private static List<Loss> losses(
      Random random, List<QueueAccount> leaves, Reclaim rules, QueueAccount winner) {
    List<QueueAccount> donors = new ArrayList<>(leaves);
    donors.remove(winner);
    Collections.shuffle(donors, random);
    List<Loss> losses = new ArrayList<>();
    for (QueueAccount donor : donors) {
      for (int i = random.nextInt(6); i > 0; i--) {
        losses.add(new Loss(losses.size(), donor, gpus(1 + random.nextInt(2))));
      }
    }
    Collections.shuffle(losses, random);
    List<Loss> allowed = new ArrayList<>();
    for (Loss loss : losses) {
      if (rules.mayLose(loss.queue(), loss.charge()) || random.nextInt(20) == 0) {
        rules.lose(loss.queue(), loss.charge());
        allowed.add(loss);
      }
    }
    return allowed;
  }

  /** Returns the leaves of a tree of at most three levels, which hold something. */
  private static List<QueueAccount> leaves(Random random) {
    List<QueueSpec> queues = new ArrayList<>();
    add(queues, random, "", 0);
    QueueBooks books = new QueueBooks(QueueTree.of(queues), Instant.EPOCH);
    books.measure(ClusterState.of(CLUSTER));
    List<QueueAccount> leaves =
        queues.stream()
            .map(queue -> books.account(queue.name()))
            .filter(queue -> queue.children().isEmpty())
            .toList();
    for (QueueAccount leaf : leaves) {
      int held = random.nextInt(10);
      leaf.hold(gpus(held), true, 1);
      leaf.request(gpus(held + random.nextInt(3)), 1);
    }
    books.divide();
    return leaves;
  }

  /** Adds queues below a parent, and returns what they are guaranteed together. */
  private static int add(List<QueueSpec> queues, Random random, String parent, int depth) {
    int sum = 0;
    int count = 2 + random.nextInt(2);
    for (int i = 0; i < count; i++) {
      String name = parent + (char) ('a' + i);
      boolean isParent = depth < 2 && random.nextBoolean();
      int guaranteed = random.nextInt(3) + (isParent ? add(queues, random, name, depth + 1) : 0);
      QueueSpec queue =
          QueueSpec.named(name).with(QuotaResource.GPUS, QueueQuota.guaranteed(guaranteed));
      queues.add(parent.isEmpty() ? queue : queue.in(parent));
      sum += guaranteed;
    }
    return sum;
  }

  private static Charge gpus(int gpus) {
    return Charge.of(List.of(1000L * gpus));
  }
}
