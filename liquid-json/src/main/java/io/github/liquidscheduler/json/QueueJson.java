package io.github.liquidscheduler.json;

import io.github.liquidscheduler.job.QueueName;
import io.github.liquidscheduler.queue.DecayedUsage;
import io.github.liquidscheduler.queue.QueuePreemption;
import io.github.liquidscheduler.queue.QueueQuota;
import io.github.liquidscheduler.queue.QueueSpec;
import io.github.liquidscheduler.queue.QueueTree;
import io.github.liquidscheduler.queue.QuotaResource;
import io.github.liquidscheduler.queue.Reclaiming;
import io.github.liquidscheduler.queue.Victims;
import io.github.liquidscheduler.resource.GpuModel;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The JSON form of a tree of queues: {@code {"queues": [{"name": "vision", "gpus": {…}}]}}. */
final class QueueJson {

  private static final double NO_END = Double.POSITIVE_INFINITY;

  private static final Form<QueueQuota> QUOTA = quota(Form.NUMBER);
  private static final Form<QueueQuota> MEMORY_QUOTA = quota(QuantityJson.AMOUNT_OF_BYTES);

  private static final Form<Map<String, QueueQuota>> BY_MODEL = QUOTA.entries();

  private static final Form<Victims> VICTIMS =
      new Form<>(in -> in.oneOf(Victims.class), (out, victims) -> out.text(victims.name()));

  private static final Form<QueuePreemption> PREEMPTION =
      new ObjectForm.Fields<QueuePreemption, QueuePreemption>(in -> QueuePreemption.DEFAULT)
          .optional(
              "own",
              VICTIMS,
              QueuePreemption::own,
              QueuePreemption.DEFAULT.own(),
              QueuePreemption::withOwn)
          .optional(
              "others",
              VICTIMS,
              QueuePreemption::others,
              QueuePreemption.DEFAULT.others(),
              QueuePreemption::withOthers)
          .optional(
              "borrowingUpTo",
              Form.INTEGER,
              QueuePreemption::whileBorrowing,
              QueuePreemption::withBorrowingUpTo)
          .build(rules -> rules)
          .form();

  private static final Form<QueueSpec> QUEUE =
      new ObjectForm.Fields<QueueSpec, QueueSpec>(
              "name", Form.TEXT, queue -> queue.name().value(), QueueSpec::named)
          .optional(
              "parent", Form.TEXT, queue -> queue.parent().map(QueueName::value), QueueSpec::in)
          .optional("priority", Form.INTEGER, QueueSpec::priority, 0, QueueSpec::withPriority)
          .optional("gpus", QUOTA, of(QuotaResource.GPUS), to(QuotaResource.GPUS))
          .optional("gpusByModel", BY_MODEL, QueueJson::byModel, Map.of(), QueueJson::withModels)
          .optional("cpu", QUOTA, of(QuotaResource.CPU), to(QuotaResource.CPU))
          .optional("memory", MEMORY_QUOTA, of(QuotaResource.MEMORY), to(QuotaResource.MEMORY))
          .optional(
              "preemption",
              PREEMPTION,
              QueueSpec::preemption,
              QueuePreemption.DEFAULT,
              QueueSpec::with)
          .optional(
              "bypass",
              Form.FLAG,
              QueueSpec::bypass,
              true,
              (queue, bypass) -> bypass ? queue : queue.withoutBypass())
          .build(queue -> queue)
          .form();

  private static final Form<Reclaiming> RULES =
      new Form<>(in -> in.oneOf(Reclaiming.class), (out, rules) -> out.text(rules.name()));

  private static final Form<DecayedUsage> DECAYED_USAGE =
      new ObjectForm.Fields<DecayedUsage, DecayedUsage>(
              "halfLife", QuantityJson.DURATION, DecayedUsage::halfLife, DecayedUsage::ofHalfLife)
          .optional(
              "sensitivity",
              Form.NUMBER,
              DecayedUsage::sensitivity,
              1.0,
              (usage, sensitivity) -> new DecayedUsage(usage.halfLife(), sensitivity))
          .build(usage -> usage)
          .form();

  static final Form<QueueTree> TREE =
      new ObjectForm.Fields<QueueTree, QueueTree>(
              "queues", QUEUE.list(), QueueTree::queues, QueueTree::of)
          .optional(
              "reclaiming",
              RULES,
              QueueTree::reclaiming,
              Reclaiming.COMPUTED_SHARES,
              QueueTree::with)
          .optional(
              "decayedUsage", DECAYED_USAGE, QueueTree::decayedUsage, QueueTree::withDecayedUsage)
          .optional(
              "rejectsBeyondQuotas",
              Form.FLAG,
              QueueTree::rejectsBeyondQuotas,
              false,
              (tree, rejects) -> rejects ? tree.rejectingBeyondQuotas() : tree)
          .build(tree -> tree)
          .form();

  private QueueJson() {}

  private static Form<QueueQuota> quota(Form<Double> amount) {
    return new ObjectForm.Fields<QueueQuota, QueueQuota>(in -> QueueQuota.BEST_EFFORT)
        .optional(
            "guaranteed",
            amount,
            quota -> finite(quota.guaranteed()),
            (quota, guaranteed) -> withGuaranteed(quota, guaranteed))
        .with(
            (in, quota) ->
                in.optional("unlimited", JsonValue::flag).orElse(false)
                    ? withGuaranteed(quota, NO_END)
                    : quota,
            (out, quota) -> out.field("unlimited", quota.guaranteed() == NO_END, false, Form.FLAG))
        .optional("limit", amount, quota -> finite(quota.limit()), QueueQuota::withLimit)
        .optional("weight", Form.NUMBER, QueueQuota::weight, 1.0, QueueQuota::withWeight)
        .optional(
            "lendingLimit",
            amount,
            quota -> finite(quota.lendingLimit()),
            QueueQuota::withLendingLimit)
        .build(quota -> quota)
        .form();
  }

  private static Function<QueueSpec, Optional<QueueQuota>> of(QuotaResource resource) {
    return queue -> Optional.ofNullable(queue.quotas().get(resource));
  }

  private static BiFunction<QueueSpec, QueueQuota, QueueSpec> to(QuotaResource resource) {
    return (queue, quota) -> queue.with(resource, quota);
  }

  private static Optional<Double> finite(double amount) {
    return amount < NO_END ? Optional.of(amount) : Optional.empty();
  }

  private static QueueQuota withGuaranteed(QueueQuota quota, double guaranteed) {
    return new QueueQuota(guaranteed, quota.limit(), quota.weight(), quota.lendingLimit());
  }

  private static Map<String, QueueQuota> byModel(QueueSpec queue) {
    Map<String, QueueQuota> quotas = new TreeMap<>();
    queue
        .quotas()
        .forEach(
            (resource, quota) ->
                resource.model().ifPresent(model -> quotas.put(model.name(), quota)));
    return quotas;
  }

  private static QueueSpec withModels(QueueSpec queue, Map<String, QueueQuota> quotas) {
    QueueSpec with = queue;
    for (Map.Entry<String, QueueQuota> quota : quotas.entrySet()) {
      with = with.with(QuotaResource.gpus(GpuModel.of(quota.getKey())), quota.getValue());
    }
    return with;
  }
}
