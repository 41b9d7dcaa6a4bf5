package io.github.liquidscheduler.testkit;

import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * Changes how often each property is tried: the tries that it states, or jqwik's default, times the
 * system property {@code liquid.laws.times} (1 if absent), but at most {@code
 * liquid.laws.max-tries}.
 *
 * <p>Found by jqwik on the class path.
 */
public final class LawTries implements AroundPropertyHook {

  /** The system property that multiplies the tries. */
  public static final String TIMES = "liquid.laws.times";

  /** The system property that limits the tries. */
  public static final String MAX_TRIES = "liquid.laws.max-tries";

  /** Makes the hook. */
  public LawTries() {}

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public boolean appliesTo(Optional<AnnotatedElement> element) {
    return System.getProperty(TIMES) != null || System.getProperty(MAX_TRIES) != null;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    PropertyAttributes attributes = context.attributes();
    int stated = attributes.tries().orElse(Integer.getInteger("jqwik.tries.default", 1000));
    // A property of one try is an example.
    if (stated > 1) {
      attributes.setTries(
          tries(
              stated,
              Integer.getInteger(TIMES, 1),
              Integer.getInteger(MAX_TRIES, Integer.MAX_VALUE)));
    }
    return property.execute();
  }

  static int tries(int stated, int times, int most) {
    return (int) Math.min((long) stated * times, most);
  }
}
